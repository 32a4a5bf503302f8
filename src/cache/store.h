#pragma once

#include "cache/entry.h"
#include "cache/purge.h"

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reef::cache {

/// Entries by key, as many as a number of bytes holds; those that were not asked for the longest go
/// first. One thread at a time.
class Store {
public:
    explicit Store(ByteCount limit) noexcept : limit_(limit) {}

    /// What has too much of it by then goes.
    void setLimit(ByteCount limit);

    /// Null: there is none that could be of any use now. Those that are too old for anything go.
    std::shared_ptr<const Entry> find(std::string_view key, TimePoint now);

    /// In place of the one with its key. False: it alone is larger than the limit.
    bool put(std::shared_ptr<const Entry> entry);

    void drop(std::string_view key);

    /// How many answers were dropped.
    std::size_t purge(const Purge& which);

    ByteCount bytes() const noexcept { return bytes_; }
    std::size_t answers() const noexcept { return answers_; }
    std::uint64_t evicted() const noexcept { return evicted_; } ///< answers, for want of room

private:
    struct Item;
    using Order = std::list<Item>;
    using Namesakes = std::list<Order::iterator>; ///< of one path
    using Paths = std::unordered_map<std::string, Namesakes>;

    /// Where an item is found by one of its paths.
    struct Listed {
        Paths::iterator path;
        Namesakes::iterator place;
    };
    struct Item {
        std::shared_ptr<const Entry> entry;
        ByteCount bytes;
        Listed path;
        Listed asked;
    };

    Listed list(const std::string& path, Order::iterator item);
    void unlist(const Listed& listed);
    void remove(Order::iterator item);
    void purgePath(const Purge& which);
    void makeRoom();

    ByteCount limit_;
    ByteCount bytes_ = 0;
    std::size_t answers_ = 0;
    std::uint64_t evicted_ = 0;
    Order order_;                                                 ///< last asked for first
    std::unordered_map<std::string_view, Order::iterator> byKey_; ///< views of the entries' keys
    Paths byPath_;
};

} // namespace reef::cache
