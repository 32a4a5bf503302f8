#include "base/log_histogram.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using namespace reef;

namespace {

bool isNear(std::uint64_t found, std::uint64_t truth) {
    const auto distance = std::abs(static_cast<double>(found) - static_cast<double>(truth));
    return distance <= 0.125 * static_cast<double>(truth) + 1;
}

} // namespace

TEST_CASE("a histogram of nothing knows no value") {
    CHECK(LogHistogram().count() == 0);
    CHECK(LogHistogram().quantile(0.5) == 0);
}

TEST_CASE("one value is every quantile, from the smallest to the largest") {
    for (std::uint64_t value = 1; value < (std::uint64_t{1} << 40U); value = value * 5 / 4 + 1) {
        LogHistogram histogram;
        histogram.add(value);
        for (const double part : {0.0, 0.5, 0.99, 1.0}) {
            CAPTURE(value, part);
            CHECK(isNear(histogram.quantile(part), value));
        }
    }
}

TEST_CASE("what is too small or too large counts as the smallest or largest") {
    LogHistogram histogram;
    histogram.add(0);
    CHECK(histogram.quantile(0.5) == 1);
    histogram.add(UINT64_MAX);
    CHECK(histogram.quantile(1.0) > (std::uint64_t{1} << 39U));
    CHECK(histogram.count() == 2);
}

TEST_CASE("quantiles lie near those of the values themselves") {
    std::minstd_rand random(7);
    std::lognormal_distribution<double> spread(8.0, 1.5);
    std::vector<std::uint64_t> values;
    LogHistogram first;
    LogHistogram second;
    for (int i = 0; i != 10'000; ++i) {
        values.push_back(static_cast<std::uint64_t>(spread(random)) + 1);
        (i % 3 == 0 ? first : second).add(values.back());
    }
    first.merge(second);
    std::ranges::sort(values);
    CHECK(first.count() == values.size());
    for (const double part : {0.05, 0.5, 0.95, 0.99}) {
        const auto truth =
            values[static_cast<std::size_t>(part * static_cast<double>(values.size()))];
        CAPTURE(part, truth, first.quantile(part));
        CHECK(isNear(first.quantile(part), truth));
    }
}
