{-# LANGUAGE LambdaCase #-}
module A.B (f, T(..)) where

import qualified Data.Map as M

-- | T.
data T a = X a | Y { y :: Int } deriving (Show)

class C a where
  c :: a -> Int

instance C Int where
  c x = x

f :: Int -> Int
f n | n > 0 = go n
    | otherwise = 0
  where go = \case 1 -> 2; _ -> 3
