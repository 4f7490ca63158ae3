import type { Access, Endpoint } from '@keepsnap/contract/endpoint.ts'

/** A signed-in user: the caller has a session token. */
export interface SessionActor {
  by: 'session'
  userId: string
  /** SHA-256 of the session token. */
  sessionHash: Buffer
}

/** A customer's program: the caller has a key of this user. */
export interface KeyActor {
  by: 'key'
  userId: string
  keyId: string
}

/** A program of the operator: the caller has an admin key, which belongs to no account. */
export interface AdminKeyActor {
  by: 'admin key'
  keyId: string
  /** What the operator called the key. */
  keyName: string
}

/** The authenticated caller. */
export type Actor = SessionActor | KeyActor | AdminKeyActor

interface ActorByAccess {
  public: undefined
  user: SessionActor
  key: KeyActor
  admin: AdminKeyActor
  /** Of a user who is an admin now. */
  operator: SessionActor
}

/** Who can have called an endpoint: one of the actors of its access kinds. Undefined only when it is public. */
export type ActorOf<E extends Pick<Endpoint, 'access'>> = ActorByAccess[E['access'] extends readonly (infer Kind extends
  Access)[]
  ? Kind
  : Extract<E['access'], Access>]
