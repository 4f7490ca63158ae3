import { createContext, use, useLayoutEffect, useRef } from 'react'
import { ChevronDown } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type {
  ApiDocument,
  ApiOperation,
  ApiParameter,
  CodeSample,
  JsonSchema,
} from '@keepsnap/contract/integrations.ts'
import { useText } from '../../lib/i18n.tsx'
import { apiDocs } from '../../messages/en/integrations.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { paths } from '../../lib/paths.ts'
import type { Catalogue } from '../../messages/en.ts'

interface FieldRow {
  name: string
  type: string
  meaning: string
}

/** Parameters or fields, with their types. */
export function FieldTable({ label, rows }: { label: string; rows: readonly FieldRow[] }) {
  const { columns } = useText({ apiDocs }).call
  if (rows.length === 0) return null
  return (
    <table className="table api-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.type}</th>
          <th scope="col">{columns.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, type, meaning }) => (
          <tr key={name}>
            <td>
              <code translate="no">{name}</code>
            </td>
            <td className="muted">{type}</td>
            <td lang="en">{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A call of the API, or an event of webhooks. */
interface NamedOperation {
  /** The hash of links to it: `get-api-photos-latest`, `photo-ready`. */
  id: string
  /** `GET` and so on; `event` for an event. */
  verb: string
  /** The path, or the type of the event. */
  name: string
  operation: ApiOperation
}

const idOf = (...parts: string[]): string =>
  parts
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/-$/, '')

/** The calls with a tag, in the order of the document. */
export const operationsWithTag = (document: ApiDocument, tag: string): NamedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({
        id: idOf(method, path),
        verb: method.toUpperCase(),
        name: path,
        operation,
      })),
  )

/** The events that webhooks receive. */
export const eventsOf = (document: ApiDocument): NamedOperation[] =>
  Object.entries(document.webhooks).map(([type, { post }]) => ({
    id: idOf(type),
    verb: 'event',
    name: type,
    operation: post,
  }))

/** Resolves a `$ref`; any other schema is returned as it is. */
function resolveSchema(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? schema)
}

/** The fields of an object and of the objects in it, such as `usage.storage_used_mb`; of a list, those of its entries. */
function fieldsOf(document: ApiDocument, schema: JsonSchema, prefix = ''): { name: string; schema: JsonSchema }[] {
  const { properties, items } = resolveSchema(document, schema)
  if (items) return fieldsOf(document, items, prefix.replace(/\.$/, '[].'))
  return Object.entries(properties ?? {}).flatMap(([name, property]) => [
    { name: prefix + name, schema: property },
    ...fieldsOf(document, property, `${prefix}${name}.`),
  ])
}

/** The refusals of an operation, in the order of their statuses. */
const refusalsOfOperation = (document: ApiDocument, { responses }: ApiOperation) =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).flatMap(([code, example]) => {
      const known =
        '$ref' in example ? document.components.examples[code as keyof ApiDocument['components']['examples']] : example // a code
      return known ? [{ status, code, ...known }] : []
    }),
  )

/** Code with its name and a button that copies it. Long lines scroll, also with the keyboard. */
export function Snippet({ label, code }: { label: string; code: string }) {
  const shown = useRef<HTMLElement>(null)
  return (
    <div className="snippet">
      <div className="snippet__head">
        <span translate="no">{label}</span>
        <CopyButton text={code} label={label} shownIn={shown} />
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <code className="code" ref={shown} tabIndex={0} translate="no">
        {code}
      </code>
    </div>
  )
}

/** The language of all samples of the page. */
export type SampleLanguage = CodeSample['lang']

interface SampleSettings {
  language: SampleLanguage
  /** A text of the document with the reader's own address of the server in it. */
  localize: (text: string) => string
}

/** The page provides the value. */
export const SampleContext = createContext<SampleSettings>({ language: 'Shell', localize: (text) => text })

/** The sample in the chosen language. */
export function SampleSnippet({ samples }: { samples: readonly CodeSample[] }) {
  const { language, localize } = use(SampleContext)
  const sample = samples.find(({ lang }) => lang === language) ?? samples[0]
  // The key remounts the snippet, so that the tick after copying does not carry over to another language.
  return sample && <Snippet key={sample.lang} label={sample.label} code={localize(sample.source)} />
}

/** A value as JSON. */
function JsonSample({ label, value }: { label: string; value: unknown }) {
  const { localize } = use(SampleContext)
  return <Snippet label={label} code={localize(JSON.stringify(value, null, 2))} />
}

interface Props {
  call: NamedOperation
  document: ApiDocument
  initiallyOpen?: boolean
}

/** A call or an event, whose details open. A link to it opens them. */
export function OperationDetails({ call, document, initiallyOpen = false }: Props) {
  const location = useLocation()
  const details = useRef<HTMLDetailsElement>(null)
  // Before the page scrolls there. The location is new for each click on the same link.
  useLayoutEffect(() => {
    if (details.current && location.hash === `#${call.id}`) details.current.open = true
  }, [location, call.id])
  const isEvent = call.verb === 'event'
  return (
    <details className="api-call" id={call.id} ref={details} open={initiallyOpen}>
      <summary>
        {!isEvent && (
          <span className={`verb verb--${call.verb.toLowerCase()}`} translate="no">
            {call.verb}
          </span>
        )}
        <code className="api-call__path" translate="no">
          {call.name}
        </code>
        <span className="api-call__summary" lang="en">
          {call.operation.summary}
        </span>
        <ChevronDown className="icon" />
      </summary>
      <div className="api-call__body">
        {isEvent ? <EventDetails call={call} document={document} /> : <CallDetails call={call} document={document} />}
        <CopyLink id={call.id} name={isEvent ? call.name : `${call.verb} ${call.name}`} />
      </div>
    </details>
  )
}

function CallDetails({ call: { operation }, document }: Props) {
  const text = useText({ apiDocs })
  const rows = useParameterRows(operation.parameters)
  const upload = operation.requestBody?.content['multipart/form-data']?.schema
  const fileRows = useFieldRows(document, upload)
  const [status = '', success] = Object.entries(operation.responses)[0] ?? []
  const answer = success?.content?.['application/json']
  const answerRows = useFieldRows(document, answer?.schema)
  return (
    <>
      {operation.description && <p lang="en">{operation.description}</p>}
      <FieldTable label={text.call.parameters} rows={[...fileRows, ...rows]} />
      <div className="snippets">
        <SampleSnippet samples={operation['x-codeSamples'] ?? []} />
        {answer && <JsonSample label={text.call.response(status)} value={answer.example} />}
      </div>
      {answerRows.length > 0 && (
        <details className="api-call__more">
          <summary>{text.call.fields}</summary>
          <FieldTable label={text.call.fields} rows={answerRows} />
        </details>
      )}
      <Refusals document={document} operation={operation} />
    </>
  )
}

function EventDetails({ call: { operation }, document }: Props) {
  const text = useText({ apiDocs })
  const body = operation.requestBody?.content['application/json']
  return (
    <>
      {operation.description && <p lang="en">{operation.description}</p>}
      <JsonSample label={text.call.body} value={body?.example} />
      <FieldTable label={text.call.bodyFields} rows={useFieldRows(document, body?.schema)} />
    </>
  )
}

/** Which refusals a program has to expect; what to do about each is in the table of all errors. */
function Refusals({ document, operation }: { document: ApiDocument; operation: ApiOperation }) {
  const text = useText({ apiDocs })
  const refusals = refusalsOfOperation(document, operation)
  if (refusals.length === 0) return null
  return (
    <details className="api-call__more">
      <summary>{text.call.errors}</summary>
      <ul className="refusals">
        {refusals.map(({ status, code, summary }) => (
          <li key={code}>
            <b className="tabular-numbers">{status}</b>
            <code translate="no">{code}</code>
            <span lang="en">{summary}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function useFieldRows(document: ApiDocument, schema: JsonSchema | undefined): FieldRow[] {
  const text = useText({ apiDocs })
  if (!schema) return []
  return fieldsOf(document, schema).map(({ name, schema: field }) => ({
    name,
    type: field.format === 'binary' ? `${text.call.file}, ${text.call.required}` : typeText(field, text.types),
    meaning: field.description ?? '',
  }))
}

function useParameterRows(parameters: readonly ApiParameter[]): FieldRow[] {
  const { call, types } = useText({ apiDocs })
  return parameters.map(({ name, in: place, schema, required, description }) => {
    const { minimum, maximum } = schema
    const typeParts = [
      place === 'header' ? call.header : typeText(schema, types),
      required && call.required,
      minimum !== undefined && maximum !== undefined && call.range(minimum, maximum),
      schema.default !== undefined && call.default(String(schema.default)),
    ]
    return { name, type: typeParts.filter(Boolean).join(', '), meaning: description }
  })
}

// The server, which renders the page for visitors without JavaScript, has no window; there, nothing is copied.
const origin = typeof window === 'undefined' ? '' : window.location.origin

/** A link to a part of the page, which can be copied too. */
function CopyLink({ id, name }: { id: string; name: string }) {
  const text = useText({ apiDocs }).call
  const link = useRef<HTMLAnchorElement>(null)
  return (
    <p className="copy-link small">
      <Link to={`#${id}`} ref={link} aria-label={text.linkNamed(name)}>
        {text.link}
      </Link>
      <CopyButton icon text={`${origin}${paths.apiDocs}#${id}`} label={text.linkTo(name)} shownIn={link} />
    </p>
  )
}

type TypeTexts = Catalogue['apiDocs']['types']
type SimpleType = { [Name in keyof TypeTexts]: TypeTexts[Name] extends string ? Name : never }[keyof TypeTexts]

const isSimpleType = (name: string, text: TypeTexts): name is SimpleType =>
  name in text && typeof text[name as keyof TypeTexts] === 'string' // checked before

/** What a schema allows, in words: `time or null`, `list of object`, `one of free, pro`. */
function typeText(schema: JsonSchema, text: TypeTexts): string {
  const { anyOf, enum: values, const: value, items, format } = schema
  if (schema.$ref) return text.object
  if (anyOf) {
    const others = anyOf.filter(({ type }) => type !== 'null').map((one) => typeText(one, text))
    return others.length < anyOf.length ? text.orNull(others.join(', ')) : others.join(', ')
  }
  if (value !== undefined) return text.always(String(value))
  if (values) return text.oneOf(values.map(String).join(', '))
  const types = [schema.type ?? []].flat()
  if (items) return text.listOf(typeText(items, text))
  const names = types
    .filter((type) => type !== 'null')
    .map((type) => (format && isSimpleType(format, text) ? format : type))
  const words = names.map((name) => (isSimpleType(name, text) ? text[name] : name)).join(', ')
  return types.includes('null') ? text.orNull(words) : words
}
