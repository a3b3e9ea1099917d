// The calls of a TypeScript project as its type checker resolves them: [{path, line, name, callers: [[path, line]]}].
// Usage: node uses.mjs TYPESCRIPT_PACKAGE ROOT
import { createRequire } from 'node:module'
import path from 'node:path'
import { readdirSync } from 'node:fs'

const ts = createRequire(import.meta.url)(path.resolve(process.argv[2]))
const root = path.resolve(process.argv[3])
const skipped = new Set(['node_modules', 'dist', '.git'])
const names = []
const walk = (dir) => {
  for (const it of readdirSync(dir, { withFileTypes: true })) {
    if (skipped.has(it.name)) continue
    const full = path.join(dir, it.name)
    if (it.isDirectory()) walk(full)
    else if (/\.(tsx?|mjs|js)$/.test(it.name) && !it.name.endsWith('.d.ts')) names.push(full)
  }
}
walk(root)
const program = ts.createProgram(names, {
  allowJs: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true,
})
const checker = program.getTypeChecker()
const place = (node) => {
  const file = node.getSourceFile()
  return [path.relative(root, file.fileName), file.getLineAndCharacterOfPosition(node.getStart()).line + 1]
}
const found = new Map()
const visit = (node, act) => { act(node); node.forEachChild((it) => visit(it, act)) }
const own = program.getSourceFiles().filter((it) => names.includes(it.fileName))
const isFunction = (it) => it && (ts.isFunctionDeclaration(it) || ts.isMethodDeclaration(it) ||
  (ts.isVariableDeclaration(it) || ts.isPropertyDeclaration(it)) && it.initializer &&
    (ts.isArrowFunction(it.initializer) || ts.isFunctionExpression(it.initializer)))
for (const file of own) visit(file, (it) => {
  if (!isFunction(it) || !it.name || !ts.isIdentifier(it.name)) return
  const [file, line] = place(it.name)
  found.set(`${file}:${line}`, { path: file, line, name: it.name.text, callers: [] })
})
for (const file of own) visit(file, (it) => {
  if (!ts.isCallExpression(it)) return
  const name = ts.isPropertyAccessExpression(it.expression) ? it.expression.name : it.expression
  if (!ts.isIdentifier(name)) return
  let symbol = checker.getSymbolAtLocation(name)
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  for (const target of symbol?.declarations ?? []) {
    if (!target.name) continue
    const known = found.get(place(target.name).join(':'))
    const at = place(name)
    if (known && !known.callers.some((it) => it.join() === at.join())) known.callers.push(at)
  }
})
process.stdout.write(JSON.stringify([...found.values()]))
