// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./IERC20.sol";
// <- import ./IERC20.sol
import {Ownable, Context as Ctx} from "@openzeppelin/contracts/access/Ownable.sol";
// <- import @openzeppelin/contracts/access/Ownable.sol (Ownable, Context)
import * as Lib from "./Lib.sol";
// <- import ./Lib.sol

error Unauthorized(address caller);
//    ^ definition.type

uint256 constant FEE = 3;
//               ^ definition.constant

/// @title A vault.
abstract contract Vault is Ownable, IERC20("a") {
//                ^ definition.class (doc, body)
// ~ base Ownable, base IERC20
    using SafeMath for uint256;
    // ~ type SafeMath

    struct Deposit {
    //     ^ definition.class in Vault (body)
        address owner;
        //      ^ definition.field in Vault.Deposit
        uint256 amount;
        //      ^ definition.field in Vault.Deposit
    }

    enum State { Open, Closed }
    //   ^ definition.enum in Vault (body)
    //           ^ definition.constant in Vault.State
    //                 ^ definition.constant in Vault.State

    event Deposited(address indexed owner, uint256 amount);
    //    ^ definition.type in Vault

    mapping(address => Deposit) public deposits;
    //                                 ^ definition.field in Vault
    // ~ type Deposit
    uint256 internal constant LIMIT = 10;
    //                        ^ definition.field in Vault

    modifier onlyOpen() {
    //       ^ definition.method in Vault (body)
        require(state == State.Open, "closed");
        // ~ call require
        _;
    }

    constructor(address owner_) Ownable(owner_) {
    // <- definition.constructor in Vault (body)
    // ~ call Ownable
        state = State.Open;
    }

    /// Takes a deposit.
    function deposit(uint256 amount) external payable onlyOpen returns (bool) {
    //       ^ definition.method in Vault (doc, body)
    // ~ call onlyOpen
        emit Deposited(msg.sender, amount);
        // ~ call Deposited
        token.transfer(msg.sender, amount);
        // ~ call transfer
        if (amount == 0) revert Unauthorized(msg.sender);
        // ~ call Unauthorized
        return _store(Deposit(msg.sender, amount));
        // ~ call _store, call Deposit
    }

    receive() external payable {}
}

interface IThing {
//        ^ definition.interface (body)
    function get() external view returns (uint256);
    //       ^ definition.method in IThing
}

library Maths {
//      ^ definition.class (body)
    function add(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
    //       ^ definition.method in Maths (body)
}
