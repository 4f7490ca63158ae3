import { Array, Boolean, Integer, Literal, Null, Number, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

/** What the check of rows, stored files, counts and work can find. */
export const findingKinds = [
  'missing',
  'damaged',
  'untracked',
  'unregistered',
  'incomplete',
  'counts',
  'photo-counts',
  'photos',
  'jobs-failed',
  'jobs-waiting',
  'deletions',
  'emails',
  'payments',
  'plans',
  'webhooks',
  'expired',
  'unfinished',
] as const
/** One of these. */
export type FindingKind = (typeof findingKinds)[number]

/** One kind of problem, and how often there is it. */
export const IntegrityFinding = Object({
  kind: Union([
    Literal('missing'),
    Literal('damaged'),
    Literal('untracked'),
    Literal('unregistered'),
    Literal('incomplete'),
    Literal('counts'),
    Literal('photo-counts'),
    Literal('photos'),
    Literal('jobs-failed'),
    Literal('jobs-waiting'),
    Literal('deletions'),
    Literal('emails'),
    Literal('payments'),
    Literal('plans'),
    Literal('webhooks'),
    Literal('expired'),
    Literal('unfinished'),
  ]),
  count: Integer(),
  /** The first of them: ids and keys, nothing that a person has typed. */
  examples: Array(String()),
  /** When the oldest of them began, where that is known; ISO 8601 in UTC. */
  since: Union([String(), Null()]),
})
export type IntegrityFinding = Static<typeof IntegrityFinding>

/** The newest result of the check. */
export const IntegrityCheck = Object({
  checked_at: String(),
  /** Every night, by an operator on this page, or by the command `verify`. */
  by: Union([Literal('nightly'), Literal('operator'), Literal('command')]),
  seconds: Number(),
  /** Stored files. */
  objects: Integer(),
  /** Files whose bytes were read and compared with their checksum. */
  compared: Integer(),
  /** Files of an earlier version, which have no checksum. */
  without_checksum: Integer(),
  /** Files that nothing knew, which were removed. */
  removed: Integer(),
  /** Names in the store that are no keys, which nothing reads and nothing removes: how many, and the first of them. */
  other_names: Object({ count: Integer(), examples: Array(String()) }),
  /** Only kinds of which there is something. */
  findings: Array(IntegrityFinding),
})
export type IntegrityCheck = Static<typeof IntegrityCheck>

/** Whether a check runs or is about to, and the newest result; null before the first. */
export const IntegrityState = Object({ running: Boolean(), check: Union([IntegrityCheck, Null()]) })
export type IntegrityState = Static<typeof IntegrityState>

export const operatorIntegrity = endpoint({
  method: 'GET',
  path: '/api/operator/integrity',
  access: 'operator',
  rate: 'operator',
  summary: 'Get the newest result of the check of rows, stored files, counts and work.',
  reply: IntegrityState,
})
/** Does what is done every night, so it asks for no reason. 409 while a check runs. */
export const startIntegrityCheck = endpoint({
  method: 'POST',
  path: '/api/operator/integrity',
  access: 'operator',
  rate: 'operator',
  summary: 'Start the check of rows, stored files, counts and work now.',
  reply: IntegrityState,
})
