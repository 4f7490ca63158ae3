import {
  Literal,
  Null,
  Object,
  String,
  Union,
  type Static,
  type TLiteral,
  type TProperties,
  type TSchema,
  type TUnion,
} from 'typebox'
import type { RateName } from './limits.ts'

/**
 * Who may call an endpoint. `public`: anyone. `user`: a session token in `Authorization: Bearer`. `key`: a customer's
 * API key, in the header `api-key` or `X-API-Key` and nowhere else. `admin`: an admin key, in the same headers. `operator`:
 * the session of a user who is an admin at this moment. A list allows each of its kinds. The server decides from the
 * headers, before it reads the body; without a valid credential it answers 401, where only operators are allowed 404. With
 * `public` and `user`, everybody is let in, and the server knows whose session calls when the call brings a valid one.
 */
export type Access = 'public' | 'user' | 'key' | 'admin' | 'operator'

/** One API call as data, read by the server, the client, the rate limiter, the documentation page and the tests. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In Fastify's notation, such as `/photos/:id`. */
  path: string
  access: Access | readonly Access[]
  /** One sentence, shown in the API documentation. */
  summary: string
  /** The rate limit that counts this call. Over it: 429 with `Retry-After`. */
  rate?: RateName
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** The body is a form (urlencoded or multipart) instead of JSON, or one of both as the caller likes. */
  form?: true | 'or JSON'
  /** The handler receives the unparsed bytes of the body in `req.body`, to verify their signature. */
  rawBody?: true
  /** The server ignores any body, whatever its content type. */
  ignoreBody?: true
  /** The body is multipart with one image in the field `file`. */
  upload?: 'image'
  /**
   * The call sets the device cookie (contract/site.ts). `counted`: under `rate`, a browser that has one is counted
   * apart from its client; the handler counts the client when the cookie is not of the account that is named.
   */
  deviceCookie?: 'set' | 'counted'
  /** The call sets a cookie of a helper's device, or works by it. */
  helperCookie?: true
  /** The answer has the browser forget cached photos; never its storage, where uploads wait. Browsers heed it only in calls that may have cookies. */
  clearsCache?: true
  /**
   * The call takes a header `Idempotency-Key`: repeating the call with the same value within a day has no further effect and
   * returns the first result.
   */
  idempotent?: true
  /**
   * The reply is the same for everybody: shared caches may keep it for so many seconds (`max-age`). It has an ETag; a
   * matching `If-None-Match` gets a 304.
   */
  cacheMaxAgeSeconds?: number
  /** Status of a successful reply; 200 if not given. */
  status?: 200 | 201 | 204
  /** JSON of this schema, without undeclared fields; or `'bytes'`, which the handler writes itself. */
  reply: TSchema | 'bytes'
}

// TypeScript does not check a generic argument for unknown properties; a misspelled one would be ignored.
type Exact<E extends Endpoint> = E & Record<Exclude<keyof E, keyof Endpoint>, never>

/** Returns its argument, typed as the literal that was given. */
export const endpoint = /* @__NO_SIDE_EFFECTS__ */ <const E extends Endpoint>(definition: Exact<E>): E => definition

type InputPart<E extends Endpoint, Name extends 'params' | 'query' | 'body'> = E[Name] extends TSchema
  ? { [Key in Name]: Static<E[Name]> }
  : unknown

/** What a client sends and a handler receives: `params`, `query` and `body` as declared. */
export type Input<E extends Endpoint> = InputPart<E, 'params'> & InputPart<E, 'query'> & InputPart<E, 'body'>
/** What a handler returns and a client receives; `undefined` for bytes. */
export type Reply<E extends Endpoint> = E['reply'] extends TSchema ? Static<E['reply']> : undefined

/** `access` as a list. */
export const accessOf = ({ access }: Pick<Endpoint, 'access'>): readonly Access[] =>
  typeof access === 'string' ? [access] : access

/** An object without other fields than these. */
export const exact = /* @__NO_SIDE_EFFECTS__ */ <Fields extends TProperties>(fields: Fields) =>
  Object(fields, { additionalProperties: false })
/** A value, or null. */
export const nullable = /* @__NO_SIDE_EFFECTS__ */ <Schema extends TSchema>(schema: Schema) => Union([schema, Null()])
/** One of these values. */
export const oneOf = /* @__NO_SIDE_EFFECTS__ */ <const Values extends readonly (string | number)[]>(
  ...values: Values
) => Union(values.map((value) => Literal(value))) as TUnion<{ -readonly [At in keyof Values]: TLiteral<Values[At]> }>
/** A text without NUL, which PostgreSQL cannot store. */
export const text = /* @__NO_SIDE_EFFECTS__ */ (maxLength: number, minLength?: number) =>
  String({ ...(minLength !== undefined && { minLength }), maxLength, pattern: '^[^\\0]*$' })
/** An id, a code or a secret in a path. Any text is accepted: an unknown one is a 404, not a validation error. */
export const pathId = String({ maxLength: 128 })
/** The parameter of most paths. */
export const ById = Object({ id: pathId })
