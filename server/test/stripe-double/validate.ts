import type { FormValue } from './form.ts'
import type { ParameterShape } from './parameters.ts'

const fits: Record<'string' | 'number' | 'boolean', (text: string) => boolean> = {
  string: () => true,
  number: (text) => /^-?\d+(\.\d+)?$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
}

/**
 * What is wrong with a parameter: names that Stripe does not know, in objects at any depth, and values of the wrong kind.
 * The names are written as in a request, such as `line_items[0][prize]`.
 */
export function problemsOf(value: FormValue, shape: ParameterShape, name = ''): string[] {
  if (typeof shape === 'string') {
    if (typeof value === 'string' && fits[shape](value)) return []
    return [`Invalid ${shape}: ${name}`]
  }
  if ('values' in shape) {
    if (typeof value === 'string' && shape.values.includes(value)) return []
    return [`Invalid ${name}: must be one of ${shape.values.join(', ')}`]
  }
  if ('anyOf' in shape) {
    const each = shape.anyOf.map((one) => problemsOf(value, one, name))
    // The most specific message: that of an object or list, when there is one.
    return each.find((problems) => !problems.length) ?? each.at(-1) ?? []
  }
  if (typeof value === 'string') return [`Invalid ${'items' in shape ? 'array' : 'object'}: ${name}`]
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = name ? `${name}[${key}]` : key
    if ('map' in shape) return problemsOf(inner, shape.map, path)
    if ('items' in shape) return /^\d+$/.test(key) ? problemsOf(inner, shape.items, path) : [`Invalid array: ${name}`]
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined
    return field ? problemsOf(inner, field, path) : [`Received unknown parameter: ${path}`]
  })
}
