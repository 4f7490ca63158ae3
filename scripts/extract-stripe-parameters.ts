/**
 * Extracts the parameters of Stripe's API, nested ones too, from the package `stripe`: which method of a class calls which
 * path is in its .js files, which parameters it takes in its .d.ts files. The Stripe double validates all requests by them.
 * After an update of the package, or for another endpoint: node scripts/extract-stripe-parameters.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, type Program, type TSInterfaceDeclaration, type TSSignature, type TSType } from 'oxc-parser'
import type { ParameterShape, StripeParameters } from '../server/test/stripe-double/parameters.ts'
import { root } from './source-files.ts'

/** The endpoints that the double answers, by the file of the package that has them. */
const endpoints: Record<string, readonly string[]> = {
  Customers: ['POST /v1/customers', 'GET /v1/customers/{id}', 'POST /v1/customers/{id}'],
  Prices: ['GET /v1/prices/{id}'],
  'Checkout/Sessions': [
    'POST /v1/checkout/sessions',
    'GET /v1/checkout/sessions',
    'GET /v1/checkout/sessions/{id}',
    'POST /v1/checkout/sessions/{id}/expire',
  ],
  Subscriptions: [
    'GET /v1/subscriptions',
    'GET /v1/subscriptions/{id}',
    'POST /v1/subscriptions/{id}',
    'DELETE /v1/subscriptions/{id}',
  ],
  Invoices: ['GET /v1/invoices'],
  Charges: ['GET /v1/charges'],
  Refunds: ['POST /v1/refunds'],
  Events: ['GET /v1/events'],
  'BillingPortal/Sessions': ['POST /v1/billing_portal/sessions'],
  'Tax/Settings': ['GET /v1/tax/settings'],
}

/** The path of the parameters file, from the project's root. */
export const parametersPath = 'server/test/stripe-double/parameters.json'

const readPackageFile = (path: string): string => readFileSync(join(root, 'node_modules/stripe/esm', path), 'utf8')

/** The types of declaration files, by their names with namespaces, such as `CustomerCreateParams.Shipping`. */
type Types = Map<string, TSInterfaceDeclaration | TSType>

function addTypes(types: Types, statements: Program['body'], namespace: string): void {
  for (const statement of statements) {
    const one = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (one?.type === 'TSInterfaceDeclaration') types.set(namespace + one.id.name, one)
    if (one?.type === 'TSTypeAliasDeclaration') types.set(namespace + one.id.name, one.typeAnnotation)
    if (one?.type === 'TSModuleDeclaration' && one.id.type === 'Identifier' && one.body)
      addTypes(types, one.body.body, `${namespace}${one.id.name}.`)
  }
}

const simple: Record<string, ParameterShape> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: { values: [''] },
}

/** Reduces types to shapes. `namespace`: where a name is used, empty or with a point at its end. */
function createShapeReader(types: Types) {
  function shapeOfName(name: string, namespace: string): ParameterShape {
    const type = types.get(namespace + name)
    if (!type && !namespace) throw new Error(`no type ${name}`)
    if (!type) return shapeOfName(name, namespace.replace(/\w+\.$/, ''))
    const inner = namespace + name.slice(0, name.lastIndexOf('.') + 1)
    if (type.type !== 'TSInterfaceDeclaration') return shapeOf(type, inner)
    const fields: Record<string, ParameterShape> = {}
    for (const { expression } of type.extends) {
      const base = expression.type === 'Identifier' && shapeOfName(expression.name, inner)
      if (typeof base === 'object' && 'fields' in base) Object.assign(fields, base.fields)
    }
    return shapeOfMembers(type.body.body, inner, fields)
  }

  function shapeOfMembers(
    members: TSSignature[],
    namespace: string,
    fields: Record<string, ParameterShape>,
  ): ParameterShape {
    for (const member of members) {
      if (member.type === 'TSIndexSignature') return { map: shapeOf(member.typeAnnotation.typeAnnotation, namespace) }
      if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || !member.typeAnnotation)
        throw new Error(`a ${member.type} is not a parameter`)
      fields[member.key.name] = shapeOf(member.typeAnnotation.typeAnnotation, namespace)
    }
    return { fields }
  }

  function shapeOf(type: TSType, namespace: string): ParameterShape {
    const keyword = simple[type.type]
    if (keyword) return keyword
    if (type.type === 'TSLiteralType' && type.literal.type === 'Literal')
      return { values: [String(type.literal.value)] }
    if (type.type === 'TSTypeLiteral') return shapeOfMembers(type.members, namespace, {})
    // `OtherString` stands for values that a later version of the API may add.
    if (type.type === 'TSUnionType')
      return unionOf(type.types.filter((one) => nameOf(one) !== 'OtherString').map((one) => shapeOf(one, namespace)))
    if (type.type !== 'TSTypeReference') throw new Error(`the shape of a ${type.type} is not known`)
    const [name, argument] = [nameOf(type), type.typeArguments?.params[0]]
    if (name === 'Array' && argument) return { items: shapeOf(argument, namespace) }
    if (name === 'Emptyable' && argument) return unionOf([{ values: [''] }, shapeOf(argument, namespace)])
    return name === 'Decimal' ? 'number' : shapeOfName(name, namespace)
  }

  return shapeOfName
}

/** The name of a type that is used; empty for other types. */
function nameOf(type: TSType): string {
  let [name, at] = ['', type.type === 'TSTypeReference' ? type.typeName : undefined]
  for (; at?.type === 'TSQualifiedName'; at = at.left) name = `.${at.right.name}${name}`
  return at?.type === 'Identifier' ? at.name + name : ''
}

/** Merges alternatives: all values into one list, and nothing around a single one. */
function unionOf(shapes: ParameterShape[]): ParameterShape {
  const flat = shapes.flatMap((shape) => (typeof shape === 'object' && 'anyOf' in shape ? shape.anyOf : [shape]))
  const values = flat.flatMap((shape) => (typeof shape === 'object' && 'values' in shape ? shape.values : []))
  const others = flat.filter((shape) => typeof shape !== 'object' || !('values' in shape))
  const merged = values.length ? [{ values: [...new Set(values)] }, ...others] : others
  return merged.length === 1 && merged[0] ? merged[0] : { anyOf: merged }
}

/** The name of the method by the endpoint that it calls. */
function methodNames(resource: string): Map<string, string> {
  const text = readPackageFile(`resources/${resource}.js`)
  const methods = text.matchAll(/^ {4}(\w+)\([^)]*\) \{[^{}]*_makeRequest\(\s*'(\w+)',\s*['`](.+?)['`],/gm)
  return new Map(
    [...methods].map(([, name = '', verb, path = '']) => [
      `${verb} ${path.replace(/\$\{encodeURIComponent\((\w+)\)\}/g, '{$1}')}`,
      name,
    ]),
  )
}

/** Reads the parameters of all endpoints from the installed package. */
export function extractStripeParameters(): StripeParameters {
  const [, apiVersion] = /ApiVersion = '([^']+)'/.exec(readPackageFile('apiVersion.js')) ?? []
  if (!apiVersion) throw new Error('the package does not say its version of the API')
  const found: StripeParameters = { apiVersion, endpoints: {} }
  for (const [resource, paths] of Object.entries(endpoints)) {
    const [names, text] = [methodNames(resource), readPackageFile(`resources/${resource}.d.ts`)]
    const types: Types = new Map()
    for (const file of [readPackageFile('shared.d.ts'), text])
      addTypes(types, parseSync('a.d.ts', file).program.body, '')
    const shapeOfName = createShapeReader(types)
    for (const path of paths) {
      const [, type] = new RegExp(`^ {4}${names.get(path)}\\(.*?\\bparams\\??: ([\\w.]+)`, 'm').exec(text) ?? []
      if (!type) throw new Error(`no method of ${resource} calls ${path}`)
      found.endpoints[path] = shapeOfName(type, '')
    }
  }
  return found
}

/** The text of the file: one endpoint in each line, because it is long. */
export function writeStripeParameters({ apiVersion, endpoints: all }: StripeParameters): string {
  const lines = Object.entries(all).map(([path, shape]) => `    ${JSON.stringify(path)}: ${JSON.stringify(shape)}`)
  return `{\n  "apiVersion": ${JSON.stringify(apiVersion)},\n  "endpoints": {\n${lines.join(',\n')}\n  }\n}\n`
}

if (import.meta.main) writeFileSync(join(root, parametersPath), writeStripeParameters(extractStripeParameters()))
