import { createContext, Fragment, use } from 'react'
import { Link } from 'react-router'
import { inlinePieces } from './inline-text.ts'
import type { LegalBlock, LegalContext, LegalSection, LegalText } from './legal-text.ts'

/** Numbers of the sections by their ids, from 1. */
const SectionNumbers = createContext<ReadonlyMap<string, number>>(new Map())

interface Props {
  text: LegalText
  context: LegalContext
  /** Heading of the most important points. */
  shortHeading: string
}

/** The text of a document. */
export function LegalArticle({ text, context, shortHeading }: Props) {
  const numbers = new Map(text.sections.map(({ id }, index) => [id, index + 1]))
  return (
    <SectionNumbers value={numbers}>
      <div className="legal__short">
        <h2>{shortHeading}</h2>
        <ul>
          {text.summary(context).map((point) => (
            <li key={point}>
              <Inline text={point} />
            </li>
          ))}
        </ul>
      </div>
      {text.sections.map((section) => (
        <Section key={section.id} section={section} context={context} />
      ))}
    </SectionNumbers>
  )
}

function Section({ section: { id, title, blocks }, context }: { section: LegalSection; context: LegalContext }) {
  const number = use(SectionNumbers).get(id)
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>
        <span className="legal__number">{number}</span> <span>{title}</span>
      </h2>
      {blocks(context).map((block, index) => (
        // A text never changes its order.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} context={context} />
      ))}
    </section>
  )
}

function Block({ block, context: { site } }: { block: LegalBlock; context: LegalContext }) {
  if (typeof block === 'string')
    return (
      <p>
        <Inline text={block} />
      </p>
    )
  if ('list' in block)
    return (
      <ul>
        {block.list.map((item) => (
          <li key={item}>
            <Inline text={item} />
          </li>
        ))}
      </ul>
    )
  if ('table' in block) return <Table {...block.table} />
  if ('operator' in block) return <Operator labels={block.operator} site={site} />
  const address = block.contact === 'operator' ? site.operator.email : site.support_email
  return (
    <p>
      <Inline text={block.before} /> <Address email={address} />. <Inline text={block.after} />
    </p>
  )
}

function Operator({
  labels,
  site: { operator },
}: {
  labels: Extract<LegalBlock, { operator: object }>['operator']
  site: LegalContext['site']
}) {
  return (
    <dl className="legal__operator">
      {(['name', 'address', 'vat'] as const).map((name) => (
        <div key={name}>
          <dt>{labels[name]}</dt>
          <dd translate="no">{operator[name]}</dd>
        </div>
      ))}
      <div>
        <dt>{labels.email}</dt>
        <dd>
          <Address email={operator.email} />
        </dd>
      </div>
    </dl>
  )
}

const Address = ({ email }: { email: string }) => (
  <a className="link email-address" href={`mailto:${email}`} translate="no">
    {email}
  </a>
)

function Table({ caption, head, rows }: Extract<LegalBlock, { table: object }>['table']) {
  return (
    <table className="table legal__table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">
              <Inline text={name} />
            </th>
            {cells.map((cell, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the columns keep their order
              <td key={index} data-label={head[index + 1]}>
                <Inline text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Inline({ text }: { text: string }) {
  const numbers = use(SectionNumbers)
  return inlinePieces(text).map(({ text: piece, bold, to }, index) => {
    // oxlint-disable-next-line react/no-array-index-key -- a text never changes its order
    const key = index
    if (bold) return <b key={key}>{piece}</b>
    if (to === undefined) return <Fragment key={key}>{piece}</Fragment>
    if (to.startsWith('https:'))
      return (
        <a key={key} className="link" href={to} rel="noreferrer">
          {piece}
        </a>
      )
    return (
      <Link key={key} className="link" to={to}>
        {piece}
        {to.startsWith('#') && ` ${numbers.get(to.slice(1))}`}
      </Link>
    )
  })
}
