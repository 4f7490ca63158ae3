/**
 * Extracts the parameters of Stripe's API, nested ones too, from the package `stripe`: which method of a class calls which
 * path is in its .js files, which parameters it takes in its .d.ts files. The Stripe double validates all requests by them.
 * After an update of the package, or for another endpoint: node scripts/extract-stripe-parameters.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, type Class, type Program, type TSType } from 'oxc-parser'
import type { StripeParameters } from '../server/test/stripe-double/parameters.ts'
import { root } from './source-files.ts'
import { createShapeReader, createTypeFinder } from './stripe-types.ts'

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

const readPackageFile = (path: string): string => readFileSync(join(root, 'node_modules/stripe', path), 'utf8')

type Member = Class['body']['body'][number]

/** The methods of the classes in a file, by name. */
function methodsOf(program: Program): [name: string, method: Member][] {
  const declarations = program.body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
  )
  return declarations.flatMap((one) =>
    one?.type !== 'ClassDeclaration'
      ? []
      : one.body.body.flatMap((member): [string, Member][] =>
          'key' in member && member.key.type === 'Identifier' ? [[member.key.name, member]] : [],
        ),
  )
}

/** The name of the method by the endpoint that it calls. */
function methodNames(resource: string): Map<string, string> {
  const text = readPackageFile(`esm/resources/${resource}.js`)
  const names = new Map<string, string>()
  for (const [name, { start, end }] of methodsOf(parseSync('resource.js', text).program)) {
    const [, verb, path = ''] = /_makeRequest\(\s*'(\w+)',\s*['`]([^'`]+)['`]/.exec(text.slice(start, end)) ?? []
    if (verb) names.set(`${verb} ${path.replace(/\$\{encodeURIComponent\((\w+)\)\}/g, '{$1}')}`, name)
  }
  return names
}

/** The type of the parameter `params` of a method. */
function parameterType(program: Program, method: string): TSType | undefined {
  for (const [name, member] of methodsOf(program)) {
    if (name !== method || member.type !== 'MethodDefinition') continue
    for (const parameter of member.value.params)
      if (parameter.type === 'Identifier' && parameter.name === 'params' && parameter.typeAnnotation)
        return parameter.typeAnnotation.typeAnnotation
  }
  return undefined
}

/** Reads the parameters of all endpoints from the installed package. */
export function extractStripeParameters(): StripeParameters {
  const { open, find } = createTypeFinder(readPackageFile)
  const shapeOf = createShapeReader(find)
  const version = /ApiVersion = '([^']+)'/.exec(readPackageFile('esm/apiVersion.js'))?.[1]
  if (!version) throw new Error('the package does not say its version of the API')
  const found: StripeParameters = { apiVersion: version, endpoints: {} }
  for (const [resource, paths] of Object.entries(endpoints)) {
    const names = methodNames(resource)
    const { program, scope } = open(`esm/resources/${resource}.d.ts`)
    for (const path of paths) {
      const type = parameterType(program, names.get(path) ?? '')
      if (!type) throw new Error(`no method of ${resource} calls ${path}`)
      found.endpoints[path] = shapeOf(scope, type)
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
