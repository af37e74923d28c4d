// A layered drawing of boxes and links in one plane: links run downwards from rank to rank where they can.
//
// The steps, each in a file of its own: ranks (turn round the links that close a cycle, then every link leads down),
// net (a link over several ranks becomes a chain of items, one a rank), ordering (few crossings within each rank),
// placing (coordinates). Links with one target and one bundle share their lanes, so twenty ways to one error handler
// join into one line.
//
// Limits: above kItemsMax items a long link is not drawn as a line but as a reference at its source; above
// kOrderingItemsMax the order is the one of the text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pawl::graph {

inline constexpr size_t kItemsMax = 60'000;
inline constexpr size_t kOrderingItemsMax = 12'000;

struct Size {
  double width = 0;
  double height = 0;
};

struct Point {
  double x = 0;
  double y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

struct Box {
  Size size;
  double port_inset = 0;  // how far from its left and right edge links may touch it
};

struct Link {
  uint32_t from = 0;  // indexes of boxes; may be equal
  uint32_t to = 0;
  uint32_t bundle = 0;
  double weight = 1;  // how much it matters that the link is straight
  Size label;         // all 0 without one
  Size reference;     // of the text that stands for the line where it is not drawn
};

// A stretch of one line or of several that share it. Between two points with one x it is straight, else an S.
struct Stretch {
  std::vector<Point> points;  // downwards
  uint32_t link = 0;          // the first of those that share it
  bool arrow_at_top = false;
  bool arrow_at_bottom = false;
};

struct Loop {
  uint32_t link = 0;
  Point at;  // on the right edge of its box, the middle of the loop
};

struct LinkLabel {
  uint32_t link = 0;
  Point center;
  bool is_reference = false;
};

struct Placement {
  Size size;
  std::vector<Point> corners;  // of the boxes: top left
  std::vector<Stretch> stretches;
  std::vector<Loop> loops;
  std::vector<LinkLabel> labels;
};

inline constexpr double kLoopWidth = 22;
inline constexpr double kLoopHeight = 18;

Placement lay_out(std::span<const Box> boxes, std::span<const Link> links);

}  // namespace pawl::graph
