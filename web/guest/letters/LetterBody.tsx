import { letters } from '../../messages/en/letters.ts'
import { useText } from '../../lib/i18n.tsx'
import type { Content } from './content.ts'
import { Cell, Grid } from './LetterFrame.tsx'
import { look } from './look.ts'

/** What a letter says: a heading, a few sentences, at most one thing to do. */
export function LetterBody({ heading, lead, act }: Content) {
  const text = useText({ letters })
  return (
    <>
      <h1 className="ink" style={look.heading}>
        {heading}
      </h1>
      {lead.map((sentences) => (
        <p key={sentences} className="ink" style={look.lead}>
          {sentences}
        </p>
      ))}
      {act && (
        <>
          <Act {...act} />
          {act.until && (
            <p className="ink2" style={look.small}>
              {act.until}
            </p>
          )}
          <p className="ink2" style={{ ...look.small, ...(act.until && { paddingTop: 12 }) }}>
            {text.otherwise}
          </p>
          <p className="ink2" style={look.address} translate="no">
            {act.url}
          </p>
        </>
      )}
    </>
  )
}

function Act({ button, url }: NonNullable<Content['act']>) {
  return (
    <Grid wide>
      <tr>
        <Cell style={look.buttonCell}>
          <Grid wide>
            <tr>
              <Cell className="act" align="center" style={look.act}>
                <a className="on" href={url} style={look.button}>
                  {button}
                </a>
              </Cell>
            </tr>
          </Grid>
        </Cell>
      </tr>
    </Grid>
  )
}
