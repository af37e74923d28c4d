// A graph as SVG that follows the reader's light or dark theme.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/scene.h"

namespace pawl::graph {
namespace {

constexpr double kArrowLength = 7;
constexpr double kArrowHalf = 3.6;

constexpr std::string_view kStyle = R"(<style>
text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif;text-anchor:middle;fill:#1f2328}
.paper{fill:#ffffff}
.label{font-size:13px;font-weight:600}
.detail{font-size:10.5px;fill:#59636e}
.left{text-anchor:start}
.say{font-size:11px;fill:#424a53}
.say.error{fill:#b3202b}
.line{fill:none;stroke:#6e7781;stroke-width:1.4;stroke-linecap:round}
.line.error{stroke:#cf222e;stroke-dasharray:5 3;stroke-linecap:butt}
.head{fill:#6e7781}
.head.error{fill:#cf222e}
.shape{stroke-width:1.3}
.step{fill:#f6f8fa;stroke:#8c959f}
.task{fill:#ddf4ff;stroke:#218bff}
.decision{fill:#fff8c5;stroke:#bf8700}
.wait{fill:#fbefff;stroke:#a475f9}
.success{fill:#dafbe1;stroke:#2da44e}
.failure{fill:#ffebe9;stroke:#cf222e}
.terminal{fill:#57606a;stroke:#57606a}
.ring{fill:none;stroke:#ffffff;stroke-width:1.6}
.terminal-text{font-size:12px;fill:#ffffff}
.group{fill:#f6f8fa;fill-opacity:.6;stroke:#8c959f}
.lane{fill:#ffffff;fill-opacity:.6;stroke:#afb8c1;stroke-dasharray:4 3}
.mark{fill:#ffffff;stroke:#8c959f}
.mark-text{font-size:10px}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.paper{fill:#0d1117}
.detail{fill:#9198a1}
.say{fill:#b7bdc8}
.say.error{fill:#ff8182}
.line{stroke:#8b949e}
.line.error{stroke:#f85149}
.head{fill:#8b949e}
.head.error{fill:#f85149}
.step{fill:#21262d;stroke:#6e7681}
.task{fill:#0c2d6b;stroke:#388bfd}
.decision{fill:#3b2300;stroke:#bb8009}
.wait{fill:#2f1a57;stroke:#8957e5}
.success{fill:#04260f;stroke:#2ea043}
.failure{fill:#490202;stroke:#f85149}
.terminal{fill:#8b949e;stroke:#8b949e}
.ring{stroke:#0d1117}
.terminal-text{fill:#0d1117}
.group{fill:#161b22;stroke:#6e7681}
.lane{fill:#0d1117;stroke:#484f58}
.mark{fill:#161b22;stroke:#6e7681}
}
</style>
)";

// XML has no way to write most control characters, nor U+FFFE and U+FFFF.
std::string escape(std::string_view text) {
  std::string out;
  for (size_t index = 0; index < text.size(); ++index) {
    const char character = text[index];
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
    }
  }
  for (const std::string_view banned : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (size_t at = out.find(banned); at != std::string::npos; at = out.find(banned, at)) out[at + 2] = '\xBD';
  return out;
}

// One decimal is a tenth of a pixel.
std::string number(double value) {
  char buffer[32];
  const double rounded = std::round(value * 10) / 10;
  std::snprintf(buffer, sizeof buffer, rounded == std::floor(rounded) ? "%.0f" : "%.1f", rounded + 0.0);
  return buffer;
}

std::string point(Point at) { return number(at.x) + " " + number(at.y); }

std::string_view class_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kStart:
    case NodeKind::kEnd:
      return "terminal";
    case NodeKind::kStep:
      return "step";
    case NodeKind::kTask:
      return "task";
    case NodeKind::kDecision:
      return "decision";
    case NodeKind::kWait:
      return "wait";
    case NodeKind::kSuccess:
      return "success";
    case NodeKind::kFailure:
      return "failure";
    case NodeKind::kGroup:
      return "group";
    case NodeKind::kLane:
      return "lane";
  }
  return {};
}

double corner_radius(NodeKind kind, Size size) {
  switch (kind) {
    case NodeKind::kTask:
      return 3;
    case NodeKind::kStep:
    case NodeKind::kDecision:
    case NodeKind::kFailure:
    case NodeKind::kGroup:
    case NodeKind::kLane:
      return 8;
    case NodeKind::kStart:
    case NodeKind::kEnd:
    case NodeKind::kWait:
    case NodeKind::kSuccess:
      return size.height / 2;
  }
  return 0;
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph), scene_(compose(graph)) {}

  std::string write() {
    const std::string size = number(scene_.size.width) + "\" height=\"" + number(scene_.size.height);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " +
           number(scene_.size.width) + " " + number(scene_.size.height) + "\">\n";
    out_ += kStyle;
    out_ += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
    write_nodes(true);
    for (const StretchPicture& stretch : scene_.stretches) write_stretch(stretch);
    for (const LoopPicture& loop : scene_.loops) write_loop(loop);
    write_nodes(false);
    for (const EdgeLabelPicture& label : scene_.labels) write_edge_label(label);
    return std::move(out_) + "</svg>\n";
  }

 private:
  // Frames lie under the lines, nodes over them.
  void write_nodes(bool frames) {
    for (const NodePicture& picture : scene_.nodes) {
      const Node& node = graph_.node(picture.id);
      if (holds_nodes(node.kind) != frames) continue;
      out_ += "<g>";
      write_title(node);
      write_shape(picture, node.kind);
      if (node.kind == NodeKind::kEnd && node.label.empty()) write_ring(picture);
      frames ? write_heading(picture) : write_texts(picture, node.kind);
      if (!node.mark.empty()) write_mark(picture, node.mark);
      out_ += "</g>\n";
    }
  }

  void write_title(const Node& node) {
    if (node.label.empty()) return;
    out_ += "<title>" + escape(node.label) + (node.detail.empty() ? "" : " (" + escape(node.detail) + ")") + "</title>";
  }

  void write_shape(const NodePicture& picture, NodeKind kind) {
    if (kind == NodeKind::kDecision) return write_hexagon(picture);
    out_ += "<rect class=\"shape " + std::string(class_of(kind)) + "\" x=\"" + number(picture.corner.x) + "\" y=\"" +
            number(picture.corner.y) + "\" width=\"" + number(picture.size.width) + "\" height=\"" +
            number(picture.size.height) + "\" rx=\"" + number(corner_radius(kind, picture.size)) + "\"/>";
  }

  void write_ring(const NodePicture& picture) {
    out_ += "<circle class=\"ring\" cx=\"" + number(picture.corner.x + picture.size.width / 2) + "\" cy=\"" +
            number(picture.corner.y + picture.size.height / 2) + "\" r=\"3.6\"/>";
  }

  void write_hexagon(const NodePicture& picture) {
    const auto [x, y] = picture.corner;
    const auto [width, height] = picture.size;
    out_ += "<path class=\"shape decision\" d=\"M" + point({x + kDecisionInset, y}) + "H" +
            number(x + width - kDecisionInset) + "L" + point({x + width, y + height / 2}) + "L" +
            point({x + width - kDecisionInset, y + height}) + "H" + number(x + kDecisionInset) + "L" +
            point({x, y + height / 2}) + "Z\"/>";
  }

  void write_text(std::string_view classes, Point at, std::string_view text) {
    out_ += "<text class=\"" + std::string(classes) + "\" x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\">" +
            escape(text) + "</text>";
  }

  void write_texts(const NodePicture& picture, NodeKind kind) {
    const bool is_terminal = kind == NodeKind::kStart || kind == NodeKind::kEnd;
    const double height = static_cast<double>(picture.label.size()) * kLabelLine +
                          static_cast<double>(picture.detail.size()) * kDetailLine;
    const double x = picture.corner.x + picture.size.width / 2;
    double y = picture.corner.y + (picture.size.height - height) / 2;
    for (const std::string& line : picture.label)
      write_text(is_terminal ? "terminal-text" : "label", {x, (y += kLabelLine) - 4}, line);
    for (const std::string& line : picture.detail) write_text("detail", {x, (y += kDetailLine) - 3}, line);
  }

  void write_heading(const NodePicture& picture) {
    const double x = picture.corner.x + kGroupPadding;
    double y = picture.corner.y + kGroupPadding - 4;
    for (const std::string& line : picture.label) write_text("label left", {x, (y += kLabelLine) - 4}, line);
    for (const std::string& line : picture.detail) write_text("detail left", {x, (y += kDetailLine) - 3}, line);
  }

  void write_mark(const NodePicture& picture, const std::string& mark) {
    constexpr double kWidth = 30;
    constexpr double kHeight = 15;
    const double x = picture.corner.x + picture.size.width - kWidth + 8;
    const double y = picture.corner.y - kHeight / 2;
    out_ += "<rect class=\"shape mark\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(kWidth) +
            "\" height=\"" + number(kHeight) + "\" rx=\"7.5\"/>";
    write_text("mark-text", {x + kWidth / 2, y + 11}, mark);
  }

  static std::string_view error_class(EdgeStyle style) { return style == EdgeStyle::kDashed ? " error" : ""; }

  void write_stretch(const StretchPicture& picture) {
    std::vector<Point> points = picture.stretch.points;
    if (picture.stretch.arrow_at_top) write_head(points.front(), 1, picture.style);
    if (picture.stretch.arrow_at_bottom) write_head(points.back(), -1, picture.style);
    if (picture.stretch.arrow_at_top) points.front().y += kArrowLength - 1;
    if (picture.stretch.arrow_at_bottom) points.back().y -= kArrowLength - 1;
    out_ += "<path class=\"line" + std::string(error_class(picture.style)) + "\" d=\"M" + point(points.front());
    for (size_t index = 1; index < points.size(); ++index) write_piece(points[index - 1], points[index]);
    out_ += "\"/>\n";
  }

  void write_piece(Point from, Point to) {
    if (std::abs(from.x - to.x) < 0.5) {
      out_ += "L" + point(to);
      return;
    }
    const double middle = (from.y + to.y) / 2;
    out_ += "C" + point({from.x, middle}) + " " + point({to.x, middle}) + " " + point(to);
  }

  // An arrow head with its tip at a point; `side` says where its tail is: 1 below the tip, -1 above.
  void write_head(Point tip, double side, EdgeStyle style) {
    const double base = tip.y + side * kArrowLength;
    out_ += "<path class=\"head" + std::string(error_class(style)) + "\" d=\"M" + point(tip) + "L" +
            point({tip.x - kArrowHalf, base}) + "H" + number(tip.x + kArrowHalf) + "Z\"/>";
  }

  void write_loop(const LoopPicture& loop) {
    const auto [x, y] = loop.at;
    const double top = y - kLoopHeight / 2 + 3;
    const double bottom = y + kLoopHeight / 2 - 3;
    const double out = x + kLoopWidth * 1.2;
    out_ += "<path class=\"line" + std::string(error_class(loop.style)) + "\" d=\"M" + point({x, top}) + "C" +
            point({out, top - 6}) + " " + point({out, bottom + 6}) + " " + point({x + kArrowLength, bottom}) + "\"/>";
    out_ += "<path class=\"head" + std::string(error_class(loop.style)) + "\" d=\"M" + point({x, bottom}) + "l" +
            point({kArrowLength, -kArrowHalf}) + "v" + number(2 * kArrowHalf) + "Z\"/>\n";
  }

  void write_edge_label(const EdgeLabelPicture& label) {
    out_ += "<g><title>" + escape(label.edge->label) + "</title>";
    double y = label.center.y - static_cast<double>(label.lines.size()) * kEdgeLine / 2;
    for (const std::string& line : label.lines)
      write_text("say" + std::string(error_class(label.edge->style)), {label.center.x, (y += kEdgeLine) - 3}, line);
    out_ += "</g>\n";
  }

  const Graph& graph_;
  const Scene scene_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Graph& graph) { return Writer(graph).write(); }

}  // namespace pawl::graph
