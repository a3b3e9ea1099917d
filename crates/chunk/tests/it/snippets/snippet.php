<?php
namespace A\B;

use C\D as E;

/** A. */
final class A extends B implements C
{
    private ?int $x = null;

    public function f(string $a): array
    {
        return ['k' => $a, "v{$this->x}"];
    }
}

function g() { echo <<<T
text
T; }
?>
<b>html</b>
