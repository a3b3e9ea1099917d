defmodule Geo.Shape do
#             ^ definition.class of Geo (body)
  @moduledoc "Shapes."

  use GenServer
  # <- import GenServer
  # ~ type GenServer
  import Enum, only: [map: 2]
  # <- import Enum
  # ~ type Enum
  require Logger
  # <- import Logger
  # ~ type Logger
  alias Geo.{Point, Line}
  # <- import Geo (Point, Line)
  # ~ type Geo, type Point, type Line
  alias Geo.Config, as: Conf
  # <- import Geo.Config as Conf
  # ~ type Config, type Conf

  @limit 10
  #^ definition.constant in Shape
  @type t :: %__MODULE__{size: integer}
  #     ^ definition.type in Shape
  #     ^ begins @type t

  defstruct [:size, name: "x"]
  #           ^ definition.field in Shape
  #                 ^ definition.field in Shape

  @doc "Makes one."
  @spec new(integer) :: t
  # ~ call new
  def new(size) when size > 0 do
  #   ^ definition.function in Shape (doc, body)
  #   ^ doc @doc "Makes one."
  #   ^ begins @spec new
    local = helper(size)
    # ~ call helper
    %Point{x: local}
    # ~ type Point
  end

  # Short.
  def area(%{size: size}), do: Conf.compute(size)
  #   ^ definition.function in Shape (doc)
  # ~ type Conf, call compute

  defp helper(x), do: x |> Logger.info()
  #    ^ definition.function in Shape
  # ~ type Logger, call info

  defmacro unless_zero(x, do: block) do
  #        ^ definition.macro in Shape (body)
    quote do: unquote(block)
  end

  defmodule Nested do
  #         ^ definition.module in Shape (body)
    def deep, do: :ok
    #   ^ definition.function in Shape.Nested
  end
end

defprotocol Drawable do
#           ^ definition.interface (body)
  def draw(shape)
  #   ^ definition.method in Drawable
end

defimpl Drawable, for: Geo.Shape do
#       ^ definition.implementation (body)
# ~ type Drawable, type Shape
  def draw(shape), do: shape
  #   ^ definition.method in Drawable
end

defmodule Shop.Cart.Item do
#                   ^ definition.class of Shop.Cart (body)
  defstruct [:name, price: 0]
  #           ^ definition.field in Item
  #                 ^ definition.field in Item
  defmacro twice(x), do: quote(do: unquote(x) * 2)
  #        ^ definition.macro in Item
  def new(%Shop.Cart{} = cart), do: Shop.Cart.add(cart)
  #   ^ definition.function in Item
  # ~ type Cart, type Cart, call add
end

defmodule Shop.Error do
#              ^ definition.class of Shop (body)
  defexception message: "no", code: 1
  #            ^ definition.field in Error
  #                           ^ definition.field in Error
end
