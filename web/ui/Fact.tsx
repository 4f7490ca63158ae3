import type { ComponentProps } from 'react'

/** A name and its value, in a `dl`. */
export const Fact = ({ name, ...value }: ComponentProps<'dd'> & { name: string }) => (
  <div>
    <dt>{name}</dt>
    <dd {...value} />
  </div>
)
