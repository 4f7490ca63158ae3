// The server's own names for Fastify's types: only files in this folder import Fastify.
export type { FastifyInstance as HttpServer, FastifyReply as HttpReply, FastifyRequest as HttpRequest } from 'fastify'
export type { LightMyRequestResponse as InjectedResponse } from 'fastify'
