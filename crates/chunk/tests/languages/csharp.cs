using System;
// <- import System
using System.Collections.Generic;
// <- import System.Collections.Generic
using Json = System.Text.Json;
// <- import System.Text.Json as Json
using static System.Math;
// <- import System.Math

namespace Example.Shapes
//                ^ definition.module of Example (body)
{
    /// <summary>A shape.</summary>
    [Serializable]
    // ~ type Serializable
    public abstract class Shape<T> : Base<T>, IDrawable where T : IComparable
    //                    ^ definition.class in Shapes (doc, body)
    // ~ base Base, type T, base IDrawable, type IComparable
    {
        public const int Limit = 10;
        //               ^ definition.field in Shapes.Shape
        private readonly List<T> parts = new List<T>();
        //                       ^ definition.field in Shapes.Shape
        // ~ type List, type T, type List, type T

        /// <summary>The size.</summary>
        public int Size { get; set; }
        //         ^ definition.field in Shapes.Shape (doc, body)
        public event EventHandler Changed;
        //                        ^ definition.field in Shapes.Shape
        // ~ type EventHandler
        public int this[int i] => i;
        //         ^ definition.method in Shapes.Shape (body)

        public Shape(int size) : base(size)
        //     ^ definition.constructor in Shapes.Shape (body)
        {
            Size = size;
        }

        [Obsolete]
        // ~ type Obsolete
        public override async Task<int> Draw(Canvas canvas)
        //                              ^ definition.method in Shapes.Shape (body)
        // ~ type Task, type Canvas
        {
            var local = new Point(1);
            // ~ type Point
            Func<int> f = () => { int inner = 1; return inner; };
            // ~ type Func
            return await canvas.Paint<int>(local, Helper(f));
            // ~ call Paint, call Helper
        }

        public static Shape<T> operator +(Shape<T> a, Shape<T> b) => a;
        //                              ^ definition.method in Shapes.Shape (body)
        // ~ type T, type Shape, type T, type Shape, type T

        ~Shape() { }
         // <- definition.method in Shapes.Shape (body)

        private class Nested { void Deep() { } }
        //            ^ definition.class in Shapes.Shape (body)
        //                          ^ definition.method in Shapes.Shape.Nested (body)
    }

    public interface IDrawable
    //               ^ definition.interface in Shapes (body)
    {
        Task<int> Draw(Canvas canvas);
        //        ^ definition.method in Shapes.IDrawable
        // ~ type Task, type Canvas
    }

    public enum Color { Red, Green = 2 }
    //          ^ definition.enum in Shapes (body)
    //                  ^ definition.constant in Shapes.Color
    //                       ^ definition.constant in Shapes.Color

    public struct Point { public int X, Y; }
    //            ^ definition.class in Shapes (body)
    //                               ^ definition.field in Shapes.Point
    //                                  ^ definition.field in Shapes.Point

    public record Person(string Name);
    //            ^ definition.class in Shapes

    public delegate void Handler(object sender);
    //                   ^ definition.type in Shapes
}

namespace Lib.Core;
//            ^ definition.module of Lib (body)

[Serializable]
// ~ type Serializable
[Obsolete("old")]
// ~ type Obsolete
public class Money : IEquatable<Money>
//           ^ definition.class in Core (body)
//           ^ signature public class Money : IEquatable<Money>
// ~ base IEquatable, type Money
{
    public static Money operator +(Money a, Money b) => a;
    //                           ^ definition.method in Core.Money (body)
    // ~ type Money, type Money
    public static implicit operator decimal(Money it) => it.amount;
    //                              ^ definition.method in Core.Money (body)
    // ~ type Money
    bool IEquatable<Money>.Equals(Money other) => true;
    //                     ^ definition.method of IEquatable in Core.Money (body)
    // ~ type Money, type Money
}
