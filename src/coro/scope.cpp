#include "coro/scope.h"

#include "base/log.h"
#include "coro/ready_queue.h"

namespace reef::coro {

/// A task with its place in the scope's list. When the task ends, the child queues itself to be
/// released: the frame is still on the stack then.
struct Scope::Child final : ReadyNode {
    Child(Scope& owner, Task<void> work) noexcept : scope(owner), task(std::move(work)) {}
    ~Child() = default;

    static void* operator new(std::size_t bytes) { return FramePool::allocate(bytes); }
    static void operator delete(void* block, std::size_t bytes) noexcept {
        FramePool::release(block, bytes);
    }

    static std::coroutine_handle<> ended(void* context) noexcept {
        ReadyQueue::current().push(*static_cast<Child*>(context));
        return std::noop_coroutine();
    }

    void run() override {
        try {
            task.result();
        } catch (const std::exception& bug) {
            log::error("coro", bug.what());
        } catch (...) {
            log::error("coro", "a task ended by an exception that is no std::exception");
        }
        scope.release(*this);
    }

    Scope& scope;
    Task<void> task;
    Child* older = nullptr;
    Child* newer = nullptr;
};

void Scope::start(Task<void> task) {
    auto* child = new Child(*this, std::move(task));
    child->older = newest_;
    if (newest_ != nullptr) newest_->newer = child;
    newest_ = child;
    ++size_;
    child->task.start({&Child::ended, child});
}

void Scope::unlink(Child& child) noexcept {
    if (child.older != nullptr) child.older->newer = child.newer;
    (child.newer != nullptr ? child.newer->older : newest_) = child.older;
    --size_;
}

void Scope::release(Child& child) noexcept {
    unlink(child);
    delete &child;
    if (size_ == 0) emptied_.pulse();
}

void Scope::dropAll() noexcept {
    while (newest_ != nullptr) {
        Child* child = newest_;
        unlink(*child);
        delete child;
    }
    emptied_.pulse();
}

Task<void> Scope::join() {
    while (size_ != 0)
        co_await emptied_.wait();
}

} // namespace reef::coro
