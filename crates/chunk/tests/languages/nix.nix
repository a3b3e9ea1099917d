{ lib, stdenv, fetchFromGitHub, ... }@args:

let
  # The version.
  version = "1.2.3";
  # <- definition.constant (doc)
  helper = x: y: lib.concat x y;
  # <- definition.function (body)
  # ~ call concat
  inherit (lib) mkOption types;
  sources = import ./sources.nix { inherit version; };
  # <- definition.constant
  #         ^ import ./sources.nix
  # ~ call import
in
stdenv.mkDerivation rec {
# ~ call mkDerivation
  pname = "tool";
  inherit version;

  src = fetchFromGitHub {
  # <- definition.field
  # ~ call fetchFromGitHub
    owner = "a";
    repo = pname;
  };

  imports = [ ./hardware.nix ../common ];
  #           ^ import ./hardware.nix
  #                          ^ import ../common
  options.services.tool.enable = mkOption { type = types.bool; };
  #                     ^ definition.field
  # ~ call mkOption

  passthru.tests.simple = callPackage ./tests.nix { };
  #              ^ definition.field
  #                       ^ import ./tests.nix
  # ~ call callPackage
  overlay = final: prev: { tool = prev.tool.override { a = 1; }; };
  # <- definition.function (body)
  # ~ call override
}
