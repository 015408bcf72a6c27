#include "reckoning.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr int EXCLUSIVE_MAX = FAN_MAX + 1;

struct Counted { // the fans that apply
    std::uint32_t mask = 0;
    std::array<std::int16_t, FAN_MAX> values{};
};

Counted count_fans(const Scoring &scoring, const Facts &facts) {
    const auto numbers = numbers_of(facts);
    Counted counted;
    std::array<std::int16_t, EXCLUSIVE_MAX> highest{};
    std::array<std::uint8_t, EXCLUSIVE_MAX> holder{};
    for (std::size_t i = 0; i < scoring.fan_count; ++i) {
        const Fan &fan = scoring.fans[i];
        const auto number = static_cast<std::size_t>(numbers[static_cast<std::size_t>(fan.fact)]);
        const std::int16_t value = fan.values[number];
        std::int16_t &best = highest[fan.exclusive];
        if (value == 0 || (fan.exclusive != 0 && value <= best)) {
            continue;
        }
        if (fan.exclusive != 0) {
            counted.mask &= ~(best > 0 ? 1U << holder[fan.exclusive] : 0U);
            best = value;
            holder[fan.exclusive] = static_cast<std::uint8_t>(i);
        }
        counted.mask |= 1U << i;
        counted.values[i] = value;
    }
    return counted;
}

class Total {
public:
    explicit Total(bool is_product) : is_product_(is_product), value_(is_product ? 1 : 0) {}
    void add(std::int64_t value) {
        value_ = is_product_ ? value_ * value : value_ + value;
        ++count_;
    }
    int count() const { return count_; }
    std::int64_t value() const { return count_ == 0 ? 1 : value_; }

private:
    bool is_product_;
    std::int64_t value_;
    int count_ = 0;
};

std::int64_t total_of(const Scoring &scoring, const Counted &counted, std::uint32_t &fans) {
    Total total(scoring.combine == Combine::product);
    std::uint32_t left = counted.mask;
    fans = 0;
    for (std::size_t i = 0; i < scoring.together_count; ++i) {
        const Together &together = scoring.together[i];
        if ((left & together.parts) == together.parts) {
            left &= ~together.parts;
            fans |= 1U << (scoring.fan_count + i);
            total.add(together.value);
        }
    }
    fans |= left;
    const bool is_alone = (fans & (fans - 1)) == 0;
    for (; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(__builtin_ctz(left));
        const std::int16_t alone = scoring.fans[i].alone;
        total.add(is_alone && alone != 0 ? alone : counted.values[i]);
    }
    return total.value();
}

} // namespace

std::array<std::int8_t, FACT_COUNT> numbers_of(const Facts &facts) noexcept {
    std::array<std::int8_t, FACT_COUNT> numbers;
    for (std::size_t fact = 0; fact < numbers.size(); ++fact) {
        numbers[fact] = static_cast<std::int8_t>(std::min(FACTS[fact].number(facts), COUNT_MAX));
    }
    return numbers;
}

int tun_of(const Scoring &scoring, int xi) noexcept {
    return std::max(xi - scoring.tun_less, 0) / scoring.tun_per;
}

Reckoning reckon(const Scoring &scoring, const Facts &facts, int xi) noexcept {
    Reckoning reckoning;
    reckoning.xi = static_cast<std::int16_t>(xi);
    reckoning.tun = tun_of(scoring, facts.is_tianhu ? xi * scoring.tianhu_xi_factor : xi);
    reckoning.base = reckoning.tun + (scoring.own_draw == OwnDraw::tun && facts.is_own_draw);
    std::int64_t fan = 1;
    if (scoring.combine != Combine::none) {
        fan = total_of(scoring, count_fans(scoring, facts), reckoning.fans);
    }
    fan += scoring.own_draw == OwnDraw::fan && facts.is_own_draw;
    reckoning.fan = static_cast<std::int32_t>(fan);
    reckoning.payment = reckoning.base * fan;
    return reckoning;
}

} // namespace paohuzi
