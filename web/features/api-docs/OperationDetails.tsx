import type { ApiDocument, ApiParameter, JsonSchema } from '@keepsnap/contract/api-docs.ts'
import { ChevronDown } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import type { Catalogue } from '../../messages/en.ts'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type FieldRow, FieldTable } from './FieldTable.tsx'
import { fieldsOf, type NamedOperation, refusalsOfOperation } from './operations.ts'
import { JsonSample, SampleSnippet } from './samples.tsx'

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
function Refusals({ document, operation }: { document: ApiDocument; operation: NamedOperation['operation'] }) {
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
