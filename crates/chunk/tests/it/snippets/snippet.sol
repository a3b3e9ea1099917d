// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./IERC20.sol";
import {Ownable, Context as Ctx} from "@openzeppelin/contracts/access/Ownable.sol";
import * as Lib from "./Lib.sol";

error Unauthorized(address caller);

uint256 constant FEE = 3;

/// @title A vault.
abstract contract Vault is Ownable, IERC20("a") {
    using SafeMath for uint256;

    struct Deposit {
        address owner;
        uint256 amount;
    }

    enum State { Open, Closed }

    event Deposited(address indexed owner, uint256 amount);

    mapping(address => Deposit) public deposits;
    uint256 internal constant LIMIT = 10;

    modifier onlyOpen() {
        require(state == State.Open, "closed");
        _;
    }

    constructor(address owner_) Ownable(owner_) {
        state = State.Open;
    }

    /// Takes a deposit.
    function deposit(uint256 amount) external payable onlyOpen returns (bool) {
        emit Deposited(msg.sender, amount);
        token.transfer(msg.sender, amount);
        if (amount == 0) revert Unauthorized(msg.sender);
        return _store(Deposit(msg.sender, amount));
    }

    receive() external payable {}
}

interface IThing {
    function get() external view returns (uint256);
}

library Maths {
    function add(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
}
