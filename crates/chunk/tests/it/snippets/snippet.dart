import 'dart:async';
import 'package:flutter/material.dart' as m show Widget, State;
export 'src/model.dart';
part 'store.g.dart';

/// A callback.
typedef Loader<T> = Future<T> Function(String path);

const int limit = 10;

enum Status { open, closed }

/// A store of items.
@immutable
abstract class Store<T> extends Base with Logging implements Disposable {
  final String name;
  static const empty = 0;
  late int _count;

  Store(this.name, {required this.limit});
  Store.named(String n) : name = n;
  factory Store.of(String n) => Store.named(n);

  /// Loads.
  @override
  Future<T> load(String path) async {
    final text = await read(path);
    return parse<T>(text).first;
  }

  int get count => _count;
  set count(int value) {
    _count = value;
  }
  Store operator +(Store other) => this;
  void close();
}

mixin Logging on Base {
  void log(String message) => print(message);
}

extension Names on String {
  String capitalized() => toUpperCase();
}

void main(List<String> args) {
  runApp(const App());
  Store.named('a').load('b');
}
