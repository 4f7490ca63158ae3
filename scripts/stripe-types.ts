/** Reads the types in declaration files of the package `stripe`, and reduces them to the shapes of parameters. */
import { dirname, join } from 'node:path'
import {
  parseSync,
  type Program,
  type TSInterfaceDeclaration,
  type TSSignature,
  type TSType,
  type TSTypeName,
} from 'oxc-parser'
import type { ParameterShape } from '../server/test/stripe-double/parameters.ts'

type Statement = Program['body'][number]

/** The types that are declared in a file or namespace. */
interface Scope {
  parent: Scope | undefined
  types: Map<string, TSInterfaceDeclaration | TSType>
  namespaces: Map<string, Scope>
  /** Files from which types are imported, by name. */
  imports: Map<string, { path: string; name: string }>
}

type Found = { scope: Scope; type: TSInterfaceDeclaration | TSType }

function addStatement(scope: Scope, statement: Statement, path: string): void {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration)
    return addStatement(scope, statement.declaration, path)
  if (statement.type === 'TSInterfaceDeclaration') scope.types.set(statement.id.name, statement)
  if (statement.type === 'TSTypeAliasDeclaration') scope.types.set(statement.id.name, statement.typeAnnotation)
  if (statement.type === 'ImportDeclaration')
    for (const specifier of statement.specifiers)
      if (specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier')
        scope.imports.set(specifier.local.name, {
          path: join(dirname(path), statement.source.value.replace(/\.js$/, '.d.ts')),
          name: specifier.imported.name,
        })
  if (statement.type !== 'TSModuleDeclaration' || statement.id.type !== 'Identifier' || !statement.body) return
  // A namespace may be declared in several parts.
  const inner = scope.namespaces.get(statement.id.name) ?? newScope(scope)
  scope.namespaces.set(statement.id.name, inner)
  for (const part of statement.body.body) addStatement(inner, part, path)
}

const newScope = (parent?: Scope): Scope => ({
  parent,
  types: new Map(),
  namespaces: new Map(),
  imports: new Map(),
})

const partsOf = (name: TSTypeName): string[] => {
  if (name.type === 'Identifier') return [name.name]
  if (name.type === 'TSQualifiedName') return [...partsOf(name.left), name.right.name]
  throw new Error('`this` is not a type name')
}

/** Finds types over the declaration files of a package. */
export function createTypeFinder(readFile: (path: string) => string) {
  const files = new Map<string, { program: Program; scope: Scope }>()

  function open(path: string): { program: Program; scope: Scope } {
    const known = files.get(path)
    if (known) return known
    const { program, errors } = parseSync(path, readFile(path))
    if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
    const scope = newScope()
    for (const statement of program.body) addStatement(scope, statement, path)
    files.set(path, { program, scope })
    return { program, scope }
  }

  function find(scope: Scope, parts: readonly string[]): Found {
    const [first = '', ...rest] = parts
    for (let one: Scope | undefined = scope; one; one = one.parent) {
      const imported = one.imports.get(first)
      if (imported) return find(open(imported.path).scope, [imported.name, ...rest])
      const type = one.types.get(first)
      if (!rest.length && type) return { scope: one, type }
      const inner = one.namespaces.get(first)
      if (rest.length && inner) return find(inner, rest)
    }
    throw new Error(`no type ${parts.join('.')}`)
  }

  return { open, find }
}

const keywords: Record<string, ParameterShape> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: { values: [''] },
}

/** Reduces types to shapes. `OtherString` is left out: it stands for values that a later version of the API may add. */
export function createShapeReader(find: ReturnType<typeof createTypeFinder>['find']) {
  function fieldsOf(
    scope: Scope,
    members: readonly TSSignature[],
    fields: Record<string, ParameterShape>,
  ): ParameterShape {
    for (const member of members) {
      if (member.type === 'TSIndexSignature') return { map: shapeOf(scope, member.typeAnnotation.typeAnnotation) }
      if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || !member.typeAnnotation)
        throw new Error(`a ${member.type} is not a parameter`)
      fields[member.key.name] = shapeOf(scope, member.typeAnnotation.typeAnnotation)
    }
    return { fields }
  }

  function shapeOfInterface(scope: Scope, type: TSInterfaceDeclaration): ParameterShape {
    const inherited: Record<string, ParameterShape> = {}
    for (const { expression } of type.extends) {
      if (expression.type !== 'Identifier') throw new Error(`${type.id.name} extends an expression`)
      const base = shapeOfFound(find(scope, [expression.name]))
      if (typeof base === 'object' && 'fields' in base) Object.assign(inherited, base.fields)
    }
    return fieldsOf(scope, type.body.body, inherited)
  }

  const shapeOfFound = ({ scope, type }: Found): ParameterShape =>
    type.type === 'TSInterfaceDeclaration' ? shapeOfInterface(scope, type) : shapeOf(scope, type)

  function shapeOf(scope: Scope, type: TSType): ParameterShape {
    const keyword = keywords[type.type]
    if (keyword) return keyword
    if (type.type === 'TSLiteralType' && type.literal.type === 'Literal')
      return { values: [String(type.literal.value)] }
    if (type.type === 'TSUnionType')
      return unionOf(type.types.filter((one) => !isOtherString(one)).map((one) => shapeOf(scope, one)))
    if (type.type === 'TSTypeLiteral') return fieldsOf(scope, type.members, {})
    if (type.type === 'TSTypeReference') {
      const parts = partsOf(type.typeName)
      const [argument] = type.typeArguments?.params ?? []
      const name = parts.join('.')
      if (name === 'Array' && argument) return { items: shapeOf(scope, argument) }
      if (name === 'Emptyable' && argument) return unionOf([{ values: [''] }, shapeOf(scope, argument)])
      return name === 'Decimal' ? 'number' : shapeOfFound(find(scope, parts))
    }
    throw new Error(`the shape of a ${type.type} is not known`)
  }

  return shapeOf
}

const isOtherString = (type: TSType): boolean =>
  type.type === 'TSTypeReference' && partsOf(type.typeName).join('.') === 'OtherString'

/** Merges alternatives: all values into one list, and nothing around a single one. */
function unionOf(shapes: readonly ParameterShape[]): ParameterShape {
  const flat = shapes.flatMap((shape) => (typeof shape === 'object' && 'anyOf' in shape ? shape.anyOf : [shape]))
  const isValues = (shape: ParameterShape): shape is { values: string[] } =>
    typeof shape === 'object' && 'values' in shape
  const values = flat.filter(isValues).flatMap((shape) => shape.values)
  const others = flat.filter((shape) => !isValues(shape))
  const merged = values.length ? [{ values: [...new Set(values)] }, ...others] : others
  return merged.length === 1 && merged[0] ? merged[0] : { anyOf: merged }
}
