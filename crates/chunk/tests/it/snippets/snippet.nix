{ lib, stdenv, fetchFromGitHub, ... }@args:

let
  # The version.
  version = "1.2.3";
  helper = x: y: lib.concat x y;
  inherit (lib) mkOption types;
  sources = import ./sources.nix { inherit version; };
in
stdenv.mkDerivation rec {
  pname = "tool";
  inherit version;

  src = fetchFromGitHub {
    owner = "a";
    repo = pname;
  };

  imports = [ ./hardware.nix ../common ];
  options.services.tool.enable = mkOption { type = types.bool; };

  passthru.tests.simple = callPackage ./tests.nix { };
  overlay = final: prev: { tool = prev.tool.override { a = 1; }; };
}
