#include "graph/layout/layered.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/layout/net.h"
#include "graph/layout/ordering.h"
#include "graph/layout/placing.h"
#include "graph/layout/ranks.h"

namespace pawl::graph {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

Link link(uint32_t from, uint32_t to, double label_width = 0) {
  return {.from = from, .to = to, .label = {label_width, label_width > 0 ? 13.0 : 0.0}, .reference = {40, 13}};
}

std::vector<Box> boxes(size_t count) { return std::vector<Box>(count, Box{.size = {80, 40}, .port_inset = 10}); }

bool overlap(Point a, Point b, Size size) {
  return std::abs(a.x - b.x) < size.width && std::abs(a.y - b.y) < size.height;
}

std::vector<Link> random_links(uint32_t box_count, size_t link_count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Link> links;
  for (size_t index = 0; index < link_count; ++index) {
    Link made = link(random() % box_count, random() % box_count, random() % 3 == 0 ? 60 : 0);
    made.bundle = random() % 2;
    links.push_back(made);
  }
  return links;
}

TEST(AssignRanks, PutsABoxBelowAllThatLeadToIt) {
  const std::vector<Link> links = {link(0, 1), link(1, 2), link(0, 2), link(2, 3)};
  const Ranks ranks = assign_ranks(4, links);
  EXPECT_THAT(ranks.of_box, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(ranks.count, 4U);
}

TEST(AssignRanks, TurnsRoundTheLinkThatClosesACycle) {
  const std::vector<Link> links = {link(0, 1), link(1, 2), link(2, 1)};
  const Ranks ranks = assign_ranks(3, links);
  EXPECT_THAT(ranks.is_upward, ElementsAre(false, false, true));
  EXPECT_THAT(ranks.of_box, ElementsAre(0, 1, 2));
}

TEST(AssignRanks, LeadsEveryOtherLinkDown) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    const std::vector<Link> links = random_links(30, 60, seed);
    const Ranks ranks = assign_ranks(30, links);
    for (size_t index = 0; index < links.size(); ++index) {
      const uint32_t from = ranks.of_box[links[index].from];
      const uint32_t to = ranks.of_box[links[index].to];
      if (links[index].from == links[index].to) continue;
      EXPECT_TRUE(ranks.is_upward[index] ? from > to : from < to) << "link " << index << " of seed " << seed;
    }
  }
}

TEST(BuildNet, SharesTheLaneOfLinksToOneTarget) {
  const std::vector<Link> links = {link(0, 1), link(1, 2), link(2, 3), link(3, 4), link(0, 4), link(1, 4), link(2, 4)};
  const Net net = build_net(boxes(5), links, assign_ranks(5, links));
  EXPECT_EQ(net.items.size(), 5U + 3U) << "one lane item beside each of the three boxes between";
}

TEST(BuildNet, KeepsLanesOfDifferentBundlesApart) {
  std::vector<Link> links = {link(0, 1), link(1, 2), link(0, 2), link(0, 2)};
  links[3].bundle = 1;
  const Net net = build_net(boxes(3), links, assign_ranks(3, links));
  EXPECT_EQ(net.items.size(), 3U + 2U);
}

TEST(BuildNet, JoinsOnlyRanksThatFollowOneAnother) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    const std::vector<Link> links = random_links(20, 40, seed);
    const Net net = build_net(boxes(20), links, assign_ranks(20, links));
    for (const Arc& arc : net.arcs) EXPECT_EQ(net.items[arc.upper].rank + 1, net.items[arc.lower].rank) << seed;
  }
}

TEST(BuildNet, StaysWithinItsItemsAndRefersToFarBoxesByName) {
  constexpr uint32_t kBoxes = 3000;
  std::vector<Link> links;
  for (uint32_t box = 0; box + 1 < kBoxes; ++box) links.push_back(link(box, box + 1));
  for (uint32_t box = 0; box < kBoxes / 2; ++box) links.push_back(link(box, kBoxes - 1 - box));
  const Net net = build_net(boxes(kBoxes), links, assign_ranks(kBoxes, links));
  EXPECT_LE(net.items.size(), kItemsMax + links.size());
  const auto references = std::ranges::count_if(net.items, [](const Item& item) { return item.is_reference; });
  EXPECT_GT(references, 0);
}

TEST(OrderRanks, RemovesACrossingThatNeedNotBe) {
  const std::vector<Link> links = {link(0, 3), link(1, 2)};
  Net net = build_net(boxes(4), links, assign_ranks(4, links));
  EXPECT_EQ(count_crossings(net), 1U);
  order_ranks(net);
  EXPECT_EQ(count_crossings(net), 0U);
}

TEST(OrderRanks, KeepsEveryItemInItsRank) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const std::vector<Link> links = random_links(20, 40, seed);
    Net net = build_net(boxes(20), links, assign_ranks(20, links));
    order_ranks(net);
    std::vector<int> seen(net.items.size(), 0);
    for (size_t rank = 0; rank < net.ranks.size(); ++rank)
      for (const uint32_t item : net.ranks[rank]) {
        EXPECT_EQ(net.items[item].rank, rank);
        ++seen[item];
      }
    EXPECT_THAT(seen, testing::Each(1));
  }
}

TEST(KeepApart, LeavesAloneWhatIsFarEnough) {
  const std::vector<double> wanted = {0, 10, 20};
  EXPECT_EQ(keep_apart(wanted, std::vector<double>{1, 1, 1}, std::vector<double>{5, 5}), wanted);
}

TEST(KeepApart, SpreadsWhatIsTooCloseAroundItsMean) {
  const auto places =
      keep_apart(std::vector<double>{10, 10, 10}, std::vector<double>{1, 1, 1}, std::vector<double>{4, 4});
  EXPECT_THAT(places, Pointwise(DoubleNear(1e-9), std::vector<double>{6, 10, 14}));
}

TEST(KeepApart, MovesTheLighterOne) {
  const auto places = keep_apart(std::vector<double>{0, 0}, std::vector<double>{9, 1}, std::vector<double>{10});
  EXPECT_THAT(places, Pointwise(DoubleNear(1e-9), std::vector<double>{-1, 9}));
}

TEST(LayOut, GivesNothingNoSize) {
  const Placement placement = lay_out({}, {});
  EXPECT_EQ(placement.size.width, 0);
  EXPECT_EQ(placement.size.height, 0);
}

TEST(LayOut, StacksAChainInOneLine) {
  const std::vector<Link> links = {link(0, 1), link(1, 2)};
  const Placement placement = lay_out(boxes(3), links);
  EXPECT_DOUBLE_EQ(placement.corners[0].x, placement.corners[1].x);
  EXPECT_DOUBLE_EQ(placement.corners[1].x, placement.corners[2].x);
  EXPECT_LT(placement.corners[0].y, placement.corners[1].y);
  EXPECT_LT(placement.corners[1].y, placement.corners[2].y);
}

TEST(LayOut, PointsTheArrowOfAnUpwardLinkAtTheBoxAbove) {
  const std::vector<Link> links = {link(0, 1), link(1, 0)};
  const Placement placement = lay_out(boxes(2), links);
  ASSERT_EQ(placement.stretches.size(), 2U);
  EXPECT_TRUE(placement.stretches[0].arrow_at_bottom);
  EXPECT_TRUE(placement.stretches[1].arrow_at_top);
  EXPECT_NE(placement.stretches[0].points.front().x, placement.stretches[1].points.front().x);
}

TEST(LayOut, DrawsALinkToItselfAsALoopBesideItsBox) {
  const std::vector<Link> links = {link(0, 0, 50)};
  const Placement placement = lay_out(boxes(1), links);
  ASSERT_EQ(placement.loops.size(), 1U);
  EXPECT_DOUBLE_EQ(placement.loops[0].at.x, placement.corners[0].x + 80);
  EXPECT_GE(placement.size.width, 80 + kLoopWidth + 50);
}

TEST(LayOut, KeepsBoxesApartAndInsideWhateverTheLinks) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const Placement placement = lay_out(boxes(25), random_links(25, 50, seed));
    for (size_t a = 0; a < 25; ++a) {
      EXPECT_GE(placement.corners[a].x, -1e-6);
      EXPECT_LE(placement.corners[a].x + 80, placement.size.width + 1e-6);
      EXPECT_LE(placement.corners[a].y + 40, placement.size.height + 1e-6);
      for (size_t b = a + 1; b < 25; ++b)
        EXPECT_FALSE(overlap(placement.corners[a], placement.corners[b], {80, 40})) << a << " " << b << " " << seed;
    }
  }
}

TEST(LayOut, NeverRunsALineDownwardsThroughABox) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Placement placement = lay_out(boxes(15), random_links(15, 30, seed));
    for (const Stretch& stretch : placement.stretches)
      for (const Point& point : stretch.points)
        for (const Point& corner : placement.corners)
          EXPECT_FALSE(point.x > corner.x + 1 && point.x < corner.x + 79 && point.y > corner.y + 1 &&
                       point.y < corner.y + 39)
              << seed;
  }
}

}  // namespace
}  // namespace pawl::graph
