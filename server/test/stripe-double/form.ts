/** A decoded form: lists are objects with the keys 0, 1, ... until a shape says that they are lists. */
export type FormValue = string | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

const isObject = (value: FormValue | undefined): value is Form => typeof value === 'object'

/** Decodes `a[b][0]=c` as Stripe does, from a body or a query. */
export function decodeForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, index) => index === 0 || part !== '')
    let inner = form
    for (const part of path.slice(0, -1)) {
      const found = inner[part]
      const next: Form = isObject(found) ? found : {}
      inner[part] = next
      inner = next
    }
    inner[path.at(-1) ?? ''] = value
  }
  return form
}

/** The value at a path such as `items.0.price`. */
export function valueAt(form: Form, path: string): string | undefined {
  let value: FormValue | undefined = form
  for (const part of path.split('.')) value = isObject(value) ? value[part] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Every name with a value, such as `items.0.price`. */
export function formPaths(form: Form, prefix = ''): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    isObject(value) ? formPaths(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

/** The numbers of an object such as `created[gte]=1`. */
export function numbersAt(form: Form, name: string): Record<string, number> {
  const value = form[name]
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, Number(text)])) : {}
}

/** The texts of a list. */
export function listAt(form: Form, name: string): string[] | undefined {
  const value = form[name]
  return isObject(value) ? Object.values(value).map(String) : undefined
}
