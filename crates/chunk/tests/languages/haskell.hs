{-# LANGUAGE OverloadedStrings #-}
-- | A module.
module Data.Shape (Shape (..), area) where
-- ~ type Shape

import Data.List
-- <- import Data.List
import qualified Data.Map.Strict as Map
-- <- import Data.Map.Strict as Map
import Data.Maybe (fromMaybe, Maybe (..))
-- <- import Data.Maybe (fromMaybe, Maybe)
-- ~ type Maybe
import Prelude hiding (lookup)
-- <- import Prelude

-- | A shape.
data Shape a
--   ^ definition.class (doc)
  = Circle { radius :: Double }
  --^ definition.constructor in Shape
  --         ^ definition.field in Shape.Circle
  -- ~ type Double
  | Square a
  --^ definition.constructor in Shape
  deriving (Show, Eq)
  -- ~ type Show, type Eq

newtype Name = Name { unName :: String }
--      ^ definition.class
--             ^ definition.constructor in Name
--                    ^ definition.field in Name.Name
-- ~ type String

type Names = [Name]
--   ^ definition.type
-- ~ type Name

-- | Draws.
class Show a => Drawable a where
--              ^ definition.interface (doc, body)
-- ~ type Show
  -- | Draws it.
  draw :: a -> String
  -- <- definition.method in Drawable (doc)
  -- ~ type String
  -- | Erases it.
  erase :: a -> a
  -- <- definition.method in Drawable (doc)
  -- <- begins erase ::
  draw x = render x
  -- <- definition.method in Drawable (body)
  -- <- begins draw x
  -- ~ call render

instance Drawable (Shape a) where
--       ^ definition.implementation (body)
-- ~ type Drawable, type Shape
  draw (Circle r) = show r
  -- <- definition.method in Drawable (body)
  -- ~ call Circle, call show

-- | The area.
area :: Shape Double -> Double
-- ~ type Shape, type Double, type Double
area (Circle r) = pi * square r
-- <- definition.function (doc, body)
-- <- begins area :: Shape
-- <- doc -- | The area.
-- ~ call Circle, call square
area (Square s) = helper s
-- <- definition.function (body)
-- ~ call Square, call helper
  where
    helper x = x * x
    -- <- definition.function in area (body)

limit :: Int
-- ~ type Int
limit = 10
-- <- definition.function (body)

infixl 6 <+>
(<+>) :: Int -> Int -> Int
-- ~ type Int, type Int, type Int
a <+> b = Map.insert a b
--^ definition.function (body)
-- ~ call insert

pattern Pair a b = (a, b)
--      ^ definition.constructor
type family Elem a where
--          ^ definition.type
  Elem [x] = x
  -- ~ type Elem
data family Store a
--          ^ definition.class
data Expr a where
--   ^ definition.class
  IntE :: Int -> Expr Int
  -- <- definition.constructor in Expr
  -- ~ type Int, type Expr, type Int
