import 'dart:async';
// <- import dart:async
import 'package:flutter/material.dart' as m show Widget, State;
// <- import package:flutter/material.dart as m (Widget, State)
export 'src/model.dart';
// <- import src/model.dart
part 'store.g.dart';
// <- import store.g.dart

/// A callback.
typedef Loader<T> = Future<T> Function(String path);
//      ^ definition.type (doc)
// ~ type Future, type T, type String

const int limit = 10;
//        ^ definition.constant
// ~ type int

enum Status { open, closed }
//   ^ definition.enum (body)
//            ^ definition.constant in Status
//                  ^ definition.constant in Status

/// A store of items.
@immutable
// ~ call immutable
abstract class Store<T> extends Base with Logging implements Disposable {
//             ^ definition.class (doc, body)
// ~ base Base, base Logging, base Disposable
  final String name;
  //           ^ definition.field in Store
  // ~ type String
  static const empty = 0;
  //           ^ definition.field in Store
  late int _count;
  //       ^ definition.field in Store
  // ~ type int

  Store(this.name, {required this.limit});
  // <- definition.constructor in Store
  Store.named(String n) : name = n;
  //    ^ definition.constructor in Store
  // ~ type String
  factory Store.of(String n) => Store.named(n);
  //            ^ definition.constructor in Store (body)
  // ~ type String, call named

  /// Loads.
  @override
  // ~ call override
  Future<T> load(String path) async {
  //        ^ definition.method in Store (doc, body)
  // ~ type Future, type T, type String
    final text = await read(path);
    // ~ call read
    return parse<T>(text).first;
    // ~ call parse, type T
  }

  int get count => _count;
  //      ^ definition.method in Store (body)
  // ~ type int
  set count(int value) {
  //  ^ definition.method in Store (body)
  // ~ type int
    _count = value;
  }
  Store operator +(Store other) => this;
  //             ^ definition.method in Store (body)
  // ~ type Store, type Store
  void close();
  //   ^ definition.method in Store
}

mixin Logging on Base {
//    ^ definition.class (body)
// ~ type Base
  void log(String message) => print(message);
  //   ^ definition.method in Logging (body)
  // ~ type String, call print
}

extension Names on String {
//        ^ definition.implementation (body)
// ~ type String
  String capitalized() => toUpperCase();
  //     ^ definition.method in Names (body)
  // ~ type String, call toUpperCase
}

void main(List<String> args) {
//   ^ definition.function (body)
// ~ type List, type String
  runApp(const App());
  // ~ call runApp, type App
  Store.named('a').load('b');
  // ~ call named, call load
}
