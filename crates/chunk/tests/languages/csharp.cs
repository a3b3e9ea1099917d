using System;
// <- import System
using System.Collections.Generic;
// <- import System.Collections.Generic
using Json = System.Text.Json;
// <- import System.Text.Json as Json
using static System.Math;
// <- import System.Math

namespace Example.Shapes
//        ^ definition.module (body)
{
    /// <summary>A shape.</summary>
    [Serializable]
    // ~ type Serializable
    public abstract class Shape<T> : Base<T>, IDrawable where T : IComparable
    //                    ^ definition.class in Example.Shapes (doc, body)
    // ~ base Base, type T, base IDrawable, type IComparable
    {
        public const int Limit = 10;
        //               ^ definition.field in Example.Shapes.Shape
        private readonly List<T> parts = new List<T>();
        //                       ^ definition.field in Example.Shapes.Shape
        // ~ type List, type T, type List, type T

        /// <summary>The size.</summary>
        public int Size { get; set; }
        //         ^ definition.field in Example.Shapes.Shape (doc, body)
        public event EventHandler Changed;
        //                        ^ definition.field in Example.Shapes.Shape
        // ~ type EventHandler
        public int this[int i] => i;
        //         ^ definition.method in Example.Shapes.Shape (body)

        public Shape(int size) : base(size)
        //     ^ definition.constructor in Example.Shapes.Shape (body)
        {
            Size = size;
        }

        [Obsolete]
        // ~ type Obsolete
        public override async Task<int> Draw(Canvas canvas)
        //                              ^ definition.method in Example.Shapes.Shape (body)
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
        // ~ type T, type Shape, type T, type Shape, type T

        ~Shape() { }
         // <- definition.method in Example.Shapes.Shape (body)

        private class Nested { void Deep() { } }
        //            ^ definition.class in Example.Shapes.Shape (body)
        //                          ^ definition.method in Example.Shapes.Shape.Nested (body)
    }

    public interface IDrawable
    //               ^ definition.interface in Example.Shapes (body)
    {
        Task<int> Draw(Canvas canvas);
        //        ^ definition.method in Example.Shapes.IDrawable
        // ~ type Task, type Canvas
    }

    public enum Color { Red, Green = 2 }
    //          ^ definition.enum in Example.Shapes (body)
    //                  ^ definition.constant in Example.Shapes.Color
    //                       ^ definition.constant in Example.Shapes.Color

    public struct Point { public int X, Y; }
    //            ^ definition.class in Example.Shapes (body)
    //                               ^ definition.field in Example.Shapes.Point
    //                                  ^ definition.field in Example.Shapes.Point

    public record Person(string Name);
    //            ^ definition.class in Example.Shapes

    public delegate void Handler(object sender);
    //                   ^ definition.type in Example.Shapes
}
