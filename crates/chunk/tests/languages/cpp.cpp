#include <vector>
// <- import vector
#include "shape.hpp"
// <- import shape.hpp

namespace geo::detail {
//             ^ definition.module of geo (body)

/// A shape.
template <typename T>
// ~ type T
class Shape : public Base<T>, private ns::Other {
//    ^ definition.class in detail (doc, body)
//    ^ begins template <typename T> class
//    ^ doc /// A shape.
// ~ base Base, type T, base Other
public:
    /// Makes one.
    explicit Shape(T size) : size_(size) {}
    //       ^ definition.constructor in detail.Shape (doc, body)
    // ~ type T
    Shape(const Shape &other);
    // <- definition.constructor in detail.Shape
    // ~ type Shape
    virtual ~Shape();
    //      ^ definition.method in detail.Shape
    virtual double area() const = 0;
    //             ^ definition.method in detail.Shape
    Shape &operator=(const Shape &other);
    //     ^ definition.method in detail.Shape
    // ~ type Shape, type Shape
    T *data() { return &size_; }
    // ^ definition.method in detail.Shape (body)
    // ~ type T
    operator bool() const { return true; }
    // <- definition.method in detail.Shape (body)
    static constexpr int kLimit = 10;
    //                   ^ definition.field in detail.Shape
    template <typename U> void visit(U &&visitor) { visitor(size_); }
    //                         ^ definition.method in detail.Shape (body)
    // ~ type U, type U, call visitor
    struct Inner { int depth; };
    //     ^ definition.class in detail.Shape (body)
    //                 ^ definition.field in detail.Shape.Inner
    enum class Mode { kFast, kSlow };
    //         ^ definition.enum in detail.Shape (body)
    //                ^ definition.constant in detail.Shape.Mode
    //                       ^ definition.constant in detail.Shape.Mode
private:
    T size_;
    //^ definition.field in detail.Shape
    // ~ type T
    std::vector<T> parts_ = {};
    //             ^ definition.field in detail.Shape
    // ~ type vector, type T
    friend class Builder;
    // ~ type Builder
};

using Sizes = std::vector<int>;
//    ^ definition.type in detail
// ~ type vector

template <typename T>
// ~ type T
concept Sized = requires(T a) { a.size(); };
//      ^ definition.interface in detail
// ~ type T, call size

}  // namespace geo::detail

geo::Shape::Shape(const Shape &other) { copy(other); }
//          ^ definition.constructor of geo::Shape (body)
// ~ type Shape, call copy

double geo::Circle::area() const {
//                  ^ definition.method of geo::Circle (body)
    auto square = [](double x) { double y = x; return y * x; };
    int local(3);
    return std::max<double>(square(r_), this->helper());
    // ~ call max, call square, call helper
}

namespace {
int counter = 0;
//  ^ definition.constant
bool operator==(const Point &a, const Point &b) { return a.x == b.x; }
//   ^ definition.function (body)
// ~ type Point, type Point
}

std::unique_ptr<Shape> make() { return std::make_unique<Shape>(new Circle(1)); }
//                     ^ definition.function (body)
// ~ type unique_ptr, type Shape, call make_unique, type Shape, type Circle

void lib::Store<T>::recover(int x) {}
//                  ^ definition.method of lib::Store<T> (body)
// ~ type Store, type T
Store::Store(int size) : size_(size) {}
//     ^ definition.constructor of Store (body)
Status **pairs(int n);
//       ^ definition.function
// ~ type Status
class LIB_EXPORT Api : public Base {
//               ^ definition.class (body)
// ~ call LIB_EXPORT, base Base
 public:
    virtual ~Api();
    //      ^ definition.method in Api
    Status put(int x) = 0;
    //     ^ definition.method in Api
    // ~ type Status
};
namespace lib::detail LIB_VISIBLE {
//             ^ definition.module of lib (body)
// ~ call LIB_VISIBLE
int x;
//  ^ definition.constant in detail
}
LIB_BEGIN
// ~ call LIB_BEGIN
LIB_API(const char *) lib_name(int version) NONNULL_ALL;
//                    ^ definition.function
// ~ call LIB_API, call NONNULL_ALL
static void FORMAT_OF(1, 2)
// ~ call FORMAT_OF
lib_log(const char *format) {
// <- definition.function (body)
}
LIB_END
// ~ call LIB_END
