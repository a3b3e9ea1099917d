<?php
namespace App\Models;

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
//    ^ definition.constant
define('OTHER', 1);
// ~ call define

/**
 * A shape.
 */
#[Entity]
// ~ type Entity
abstract class Shape extends Base implements Drawable, \Countable
//             ^ definition.class (doc, body)
// ~ base Base, base Drawable, base Countable
{
    use Sized;
    // ~ base Sized

    public const KIND = 'shape';
    //           ^ definition.constant in Shape
    private ?int $size = 0;
    //            ^ definition.field in Shape

    /** Makes one. */
    public function __construct(private string $name)
    //              ^ definition.constructor in Shape (doc, body)
    {
        parent::__construct();
        // ~ call __construct
        $local = new Point(1);
        // ~ type Point
    }

    public static function create(Config $config): static
    //                     ^ definition.method in Shape (body)
    // ~ type Config, type static
    {
        return self::make($config->get('x'), helper(1), \strlen('x'));
        // ~ call make, call get, call helper, call strlen
    }

    abstract protected function area(): float;
    //                          ^ definition.method in Shape
}

interface Drawable
//        ^ definition.interface (body)
{
    public function draw(Canvas $canvas): void;
    //              ^ definition.method in Drawable
    // ~ type Canvas
}

trait Runs
//    ^ definition.class (body)
{
    public function run() { return fn($x) => $x; }
    //              ^ definition.method in Runs (body)
}

enum Color: string
//   ^ definition.enum (body)
{
    case Red = 'r';
    //   ^ definition.constant in Color
    public function label(): string { return $this->value; }
    //              ^ definition.method in Color (body)
}

// Adds.
function add(int $a, int $b): int
//       ^ definition.function (doc, body)
{
    $f = function () { return inner(); };
    // ~ call inner
    return $a + $b;
}
