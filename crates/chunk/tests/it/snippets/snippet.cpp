#pragma once
#include <vector>

namespace n {

/// A.
template <typename T>
class A : public B<T> {
public:
    explicit A(T t) : t_(std::move(t)) {}
    auto f() const -> int { return [this](int x) { return x; }(1); }

private:
    T t_;
};

}  // namespace n
