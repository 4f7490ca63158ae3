/** What a parameter may be. Requests are forms, so that numbers and booleans arrive as text. */
export type ParameterShape =
  | 'string'
  | 'number'
  | 'boolean'
  | { values: string[] }
  | { fields: Record<string, ParameterShape> }
  | { items: ParameterShape }
  | { map: ParameterShape }
  | { anyOf: ParameterShape[] }

/** The parameters of the endpoints, by `METHOD /path/{id}`. */
export interface StripeParameters {
  apiVersion: string
  endpoints: Record<string, ParameterShape>
}
