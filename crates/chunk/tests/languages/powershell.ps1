using module ./Tools.psm1
# <- import ./Tools.psm1
# ~ call using
Import-Module -Name Pester
# <- import Pester
# ~ call Import-Module
. ./helpers.ps1
# <- import ./helpers.ps1

<#
.SYNOPSIS
Gets a user.
#>
function Get-User {
#        ^ definition.function (doc, body)
    [CmdletBinding()]
    # ~ type CmdletBinding
    param(
        [Parameter(Mandatory)]
        # ~ type Parameter
        [string]$Name
        # ~ type string
    )
    $user = Find-Item -Name $Name
    # ~ call Find-Item
    return [User]::new($user).Format($user)
    # ~ type User, call new, call Format
}

filter Select-Even { if ($_ % 2) { $_ } }
#      ^ definition.function (body)

enum Color {
#    ^ definition.enum (body)
    Red
    # <- definition.constant in Color
    Green
    # <- definition.constant in Color
}

class User : Base {
#     ^ definition.class (body)
# ~ base Base
    [string]$Name
    #       ^ definition.field in User
    # ~ type string
    static [int]$Count = 0
    #           ^ definition.field in User
    # ~ type int

    User([string]$name) {
    # <- definition.method in User (body)
    # ~ type string
        $this.Name = $name
    }

    [string] Format([int]$width) {
    #        ^ definition.method in User (body)
    # ~ type string, type int
        return (Format-Text $this.Name $width)
        # ~ call Format-Text
    }
}

$Limit = 10
