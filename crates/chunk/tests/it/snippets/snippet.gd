@tool
class_name Player
extends CharacterBody2D

## Emitted when hit.
signal hit(damage: int)

const SPEED = 300.0
const Bullet = preload("res://bullet.gd")

enum State { IDLE, RUN }

@export var health: int = 100
@onready var sprite = $Sprite2D
var _state := State.IDLE

func _ready() -> void:
	connect("hit", _on_hit)
	sprite.play("idle")

## Moves.
static func move(delta: float, target: Node2D) -> Vector2:
	var local = helper(delta)
	return local.normalized()

func _init(name):
	pass

class Inventory extends Resource:
	var items: Array[Item] = []

	func add(item: Item) -> void:
		items.append(item)
