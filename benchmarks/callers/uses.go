// The calls of a Go module as its type checker resolves them: [{path, line, name, callers: [[path, line]]}].
package main

import (
	"encoding/json"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

type definition struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	Name    string   `json:"name"`
	Callers [][2]any `json:"callers"`
}

func main() {
	root, _ := filepath.EvalSymlinks(os.Args[1])
	mode := packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
	all, err := packages.Load(&packages.Config{Mode: mode, Dir: root, Tests: true}, "./...")
	if err != nil {
		panic(err)
	}
	found := map[[2]any]*definition{}
	seen := map[[3]any]bool{}
	for _, it := range all {
		place := func(node ast.Node) [2]any {
			at := it.Fset.Position(node.Pos())
			path, _ := filepath.Rel(root, at.Filename)
			return [2]any{path, at.Line}
		}
		for _, file := range it.Syntax {
			ast.Inspect(file, func(node ast.Node) bool {
				if own, ok := node.(*ast.FuncDecl); ok {
					at := place(own.Name)
					if found[at] == nil {
						found[at] = &definition{at[0].(string), at[1].(int), own.Name.Name, [][2]any{}}
					}
				}
				return true
			})
		}
	}
	for _, it := range all {
		for _, file := range it.Syntax {
			ast.Inspect(file, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok {
					return true
				}
				fun := ast.Unparen(call.Fun)
				if index, ok := fun.(*ast.IndexExpr); ok {
					fun = index.X
				}
				name, _ := fun.(*ast.Ident)
				if selector, ok := fun.(*ast.SelectorExpr); ok {
					name = selector.Sel
				}
				if name == nil {
					return true
				}
				if used, ok := it.TypesInfo.Uses[name].(*types.Func); ok {
					used = used.Origin()
					own := it.Fset.Position(used.Pos())
					path, _ := filepath.Rel(root, own.Filename)
					at := it.Fset.Position(name.Pos())
					from, _ := filepath.Rel(root, at.Filename)
					key := [3]any{[2]any{path, own.Line}, from, at.Line}
					if known := found[[2]any{path, own.Line}]; known != nil && !seen[key] {
						seen[key] = true
						known.Callers = append(known.Callers, [2]any{from, at.Line})
					}
				}
				return true
			})
		}
	}
	res := []*definition{}
	for _, it := range found {
		res = append(res, it)
	}
	json.NewEncoder(os.Stdout).Encode(res)
}
