import type { JsonSchema } from '@keepsnap/contract/api-docs.ts'
import type { Catalogue } from '../../messages/en.ts'

type TypeTexts = Catalogue['apiDocs']['types']
type SimpleType = { [Name in keyof TypeTexts]: TypeTexts[Name] extends string ? Name : never }[keyof TypeTexts]

const isSimpleType = (name: string, text: TypeTexts): name is SimpleType =>
  name in text && typeof text[name as keyof TypeTexts] === 'string' // checked before

/** What a schema allows, in words: `time or null`, `list of object`, `one of free, pro`. */
export function typeText(schema: JsonSchema, text: TypeTexts): string {
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
