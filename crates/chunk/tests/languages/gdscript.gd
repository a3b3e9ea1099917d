@tool
class_name Player
#          ^ definition.class (body)
extends CharacterBody2D
# ~ base CharacterBody2D

## Emitted when hit.
signal hit(damage: int)
#      ^ definition.field in Player (doc)
# ~ type int

const SPEED = 300.0
#     ^ definition.constant in Player
const Bullet = preload("res://bullet.gd")
#              ^ import res://bullet.gd
# ~ call preload

enum State { IDLE, RUN }
#    ^ definition.enum in Player (body)
#            ^ definition.constant in Player.State
#                  ^ definition.constant in Player.State

@export var health: int = 100
#           ^ definition.field in Player
# ~ type int
@onready var sprite = $Sprite2D
#            ^ definition.field in Player
var _state := State.IDLE
#   ^ definition.field in Player

func _ready() -> void:
#    ^ definition.method in Player (body)
# ~ type void
	connect("hit", _on_hit)
	# ~ call connect
	sprite.play("idle")
	# ~ call play

## Moves.
static func move(delta: float, target: Node2D) -> Vector2:
#           ^ definition.method in Player (doc, body)
# ~ type float, type Node2D, type Vector2
	var local = helper(delta)
	# ~ call helper
	return local.normalized()
	# ~ call normalized

func _init(name):
#    ^ definition.constructor in Player (body)
	pass

class Inventory extends Resource:
#     ^ definition.class in Player (body)
# ~ base Resource
	var items: Array[Item] = []
	#   ^ definition.field in Player.Inventory
	# ~ type Array, type Item

	func add(item: Item) -> void:
	#    ^ definition.method in Player.Inventory (body)
	# ~ type Item, type void
		items.append(item)
		# ~ call append
