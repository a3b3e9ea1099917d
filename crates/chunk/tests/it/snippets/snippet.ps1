using module ./Tools.psm1
Import-Module -Name Pester
. ./helpers.ps1

<#
.SYNOPSIS
Gets a user.
#>
function Get-User {
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [string]$Name
    )
    $user = Find-Item -Name $Name
    return [User]::new($user).Format($user)
}

filter Select-Even { if ($_ % 2) { $_ } }

enum Color {
    Red
    Green
}

class User : Base {
    [string]$Name
    static [int]$Count = 0

    User([string]$name) {
        $this.Name = $name
    }

    [string] Format([int]$width) {
        return (Format-Text $this.Name $width)
    }
}

$Limit = 10
