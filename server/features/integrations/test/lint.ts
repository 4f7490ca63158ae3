import type { ApiDocument, ApiOperation } from '@keepsnap/contract/integrations.ts'

type NamedOperation = [name: string, operation: ApiOperation]
type Part = Record<string, unknown>

/** The calls of a document, by method and path. */
export const pathOperationsOf = (document: ApiDocument): NamedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): NamedOperation => [`${method.toUpperCase()} ${path}`, one]),
  )

/** The calls and the webhooks of a document. */
const operationsOf = (document: ApiDocument): NamedOperation[] => [
  ...pathOperationsOf(document),
  ...Object.entries(document.webhooks).map(([type, { post }]): NamedOperation => [type, post]),
]

/** Every object in a value, with its path. */
export function* nestedObjects(value: unknown, path: readonly string[] = []): Generator<[path: string[], part: Part]> {
  if (typeof value !== 'object' || value === null) return
  yield [[...path], value as Part] // or an array, whose keys are its indices
  for (const [key, part] of Object.entries(value)) yield* nestedObjects(part, [...path, key])
}

/** What a reference points to; undefined for nothing. */
export const resolveReference = (document: ApiDocument, ref: string): unknown =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((part, key) => (part as Part | undefined)?.[key], document) // every step leads through an object

const isSentence = (text: unknown): boolean => typeof text === 'string' && /^\S.*[.”]$/s.test(text)

function operationProblems(document: ApiDocument): string[] {
  const operations = operationsOf(document)
  const ids = operations.map(([, { operationId }]) => operationId)
  const tags = document.tags.map(({ name }) => name)
  return operations.flatMap(([name, { operationId, summary, tags: own, parameters, requestBody, responses }]) => {
    const templated = Array.from(name.matchAll(/\{(\w+)\}/g), ([, one]) => one)
    const inPath = parameters.filter((one) => one.in === 'path').map((one) => one.name)
    const described = [...Object.values(responses), ...(requestBody ? [requestBody] : [])]
    return [
      ...(ids.filter((id) => id === operationId).length > 1 ? ['its operationId is not unique'] : []),
      ...(isSentence(summary) ? [] : ['it has no summary']),
      ...(own.length === 1 && tags.includes(own[0] ?? '') ? [] : ['it does not have one known tag']),
      ...(templated.join() === inPath.join() ? [] : ['its path parameters are not those of its path']),
      ...parameters.filter((one) => !isSentence(one.description)).map((one) => `${one.name} is not described`),
      ...parameters.filter((one) => one.example === undefined).map((one) => `${one.name} has no example`),
      ...(described.every((one) => isSentence(one.description)) ? [] : ['a body or response is not described']),
    ].map((problem) => `${name}: ${problem}`)
  })
}

function refusalProblems(document: ApiDocument): string[] {
  return pathOperationsOf(document).flatMap(([name, { security, responses }]) => [
    ...['401', '503']
      .filter((status) => security.length > 0 && !responses[status])
      .map((status) => `${name}: it has no ${status}`),
    ...Object.entries(responses).flatMap(([status, { content, headers = {} }]) =>
      [
        ...(Number(status) >= 400 && !Object.keys(content?.['application/json'].examples ?? {}).length
          ? ['no example']
          : []),
        ...(['429', '503'].includes(status) && !headers['Retry-After'] ? ['no Retry-After'] : []),
        ...(status === '429' && !(headers['RateLimit'] && headers['RateLimit-Policy']) ? ['no RateLimit'] : []),
      ].map((problem) => `${name} ${status}: ${problem}`),
    ),
  ])
}

function componentProblems(document: ApiDocument): string[] {
  const parts = [...nestedObjects(document)]
  const references = parts.map(([, part]) => part['$ref']).filter((ref) => typeof ref === 'string')
  const named = (['headers', 'schemas', 'examples'] as const).flatMap((kind) =>
    Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
  )
  const required = pathOperationsOf(document).flatMap(([, { security }]) => security.flatMap((one) => Object.keys(one)))
  return [
    ...references
      .filter((ref) => resolveReference(document, ref) === undefined)
      .map((ref) => `${ref} points to nothing`),
    ...named.filter((name) => !references.includes(name)).map((name) => `${name} is not used`),
    ...required
      .filter((name) => !document.components.securitySchemes[name])
      .map((name) => `the security scheme ${name} does not exist`),
    ...parts
      .filter(([path, part]) => path.at(-2) === 'properties' && !isSentence(part['description']))
      .map(([path]) => `${path.join('.')} is not described`),
  ]
}

/** Lints an OpenAPI document: what it lacks that readers and client generators need, one sentence each. */
export const lintApiDocument = (document: ApiDocument): string[] => [
  ...operationProblems(document),
  ...refusalProblems(document),
  ...componentProblems(document),
]
