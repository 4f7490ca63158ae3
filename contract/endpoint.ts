import type { Static, TSchema } from 'typebox'
import type { RateName } from './limits.ts'

/**
 * Who may call. `public`: anybody. `user`: a session token as bearer. `key`: a customer's API key. `admin`: an
 * admin key. A list means any of them; access is decided from the headers, before the body is read.
 */
export type Access = 'public' | 'user' | 'key' | 'admin'

/** One call, as data: what server, client, rate limiter, documentation page and tests read. */
export interface Shape {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify's notation: `/photos/:id`. */
  path: string
  access: Access | readonly Access[]
  /** One line for people, shown in the documentation. */
  summary: string
  /** The rate that counts this call; calls without one have no limit of their own. */
  rate?: RateName
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** The body comes as a form (urlencoded or multipart) instead of JSON. */
  form?: true
  /** A body is neither read nor judged, whatever it is: the address says it all. */
  unread?: true
  /** One file in the multipart field `file`, streamed. */
  upload?: 'image'
  /** Status of success; 200 when not given. */
  status?: 200 | 201 | 204
  /** JSON of this schema, undeclared fields stripped; or raw bytes, which the handler writes itself. */
  reply: TSchema | 'bytes'
}

/** Returns its argument; exists so that both sides infer from the literal. */
export const endpoint = <const S extends Shape>(shape: S): S => shape

type Part<S extends Shape, K extends 'params' | 'query' | 'body'> = S[K] extends TSchema
  ? { [P in K]: Static<S[K]> }
  : unknown

/** What a handler is given and what a client must send. */
export type Input<S extends Shape> = Part<S, 'params'> & Part<S, 'query'> & Part<S, 'body'>
/** What a handler answers and what a client receives; `undefined` for bytes and for 204. */
export type Reply<S extends Shape> = S['reply'] extends TSchema ? Static<S['reply']> : undefined

/** The kinds of caller as a list, whichever way the shape spells them. */
export const accessOf = (shape: Shape): readonly Access[] =>
  typeof shape.access === 'string' ? [shape.access] : shape.access
