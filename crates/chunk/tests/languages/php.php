<?php
namespace App\Models;
//            ^ definition.module of App (body)

use App\Base;
// <- import App (Base)
use App\Traits\{Sized, Named as HasName};
// <- import App\Traits (Sized, Named as HasName)
use function App\helper;
// <- import App (helper)
require_once 'vendor/autoload.php';
// <- import vendor/autoload.php
include __DIR__ . '/x.php';
// <- import ./x.php

const LIMIT = 10;
//    ^ definition.constant in Models
define('OTHER', 1);
// ~ call define

/**
 * A shape.
 */
#[Entity]
// ~ type Entity
abstract class Shape extends Base implements Drawable, \Countable
//             ^ definition.class in Models (doc, body)
// ~ base Base, base Drawable, base Countable
{
    use Sized;
    // ~ base Sized

    public const KIND = 'shape';
    //           ^ definition.constant in Models.Shape
    private ?int $size = 0;
    //            ^ definition.field in Models.Shape

    /** Makes one. */
    public function __construct(private string $name)
    //              ^ definition.constructor in Models.Shape (doc, body)
    {
        parent::__construct();
        // ~ call __construct
        $local = new Point(1);
        // ~ type Point
    }

    public static function create(Config $config): static
    //                     ^ definition.method in Models.Shape (body)
    // ~ type Config, type static
    {
        return self::make($config->get('x'), helper(1), \strlen('x'));
        // ~ call make, call get, call helper, call strlen
    }

    abstract protected function area(): float;
    //                          ^ definition.method in Models.Shape
}

interface Drawable
//        ^ definition.interface in Models (body)
{
    public function draw(Canvas $canvas): void;
    //              ^ definition.method in Models.Drawable
    // ~ type Canvas
}

trait Runs
//    ^ definition.class in Models (body)
{
    public function run() { return fn($x) => $x; }
    //              ^ definition.method in Models.Runs (body)
}

enum Color: string
//   ^ definition.enum in Models (body)
{
    case Red = 'r';
    //   ^ definition.constant in Models.Color
    public function label(): string { return $this->value; }
    //              ^ definition.method in Models.Color (body)
}

// Adds.
function add(int $a, int $b): int
//       ^ definition.function in Models (doc, body)
{
    $f = function () { return inner(); };
    // ~ call inner
    return $a + $b;
}

namespace Lib\Http;
//            ^ definition.module of Lib (body)

#[Attribute]
// ~ type Attribute
class Route
//    ^ definition.class in Http (body)
{
    public function path(): string { return ''; }
    //              ^ definition.method in Http.Route (body)
}
