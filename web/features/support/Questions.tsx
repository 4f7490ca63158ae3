import { Link as LinkIcon, Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { claims } from '../../messages/en/claims.ts'
import { support } from '../../messages/en/support.ts'
import { supportQuestions } from '../../messages/en/support-questions.ts'
import { supportQuestionGroups, type SupportQuestion } from './questions.ts'

/** Questions and answers; the address of each opens it. */
export function Questions() {
  const text = useText({ support })
  const groups = supportQuestionGroups(useText({ supportQuestions }), useText({ claims }))
  const list = useOpenedQuestion()
  return (
    <section className="support__questions" aria-labelledby="questions" ref={list}>
      <h2 id="questions" className="visually-hidden">
        {text.questions}
      </h2>
      {groups.map(({ heading, questions }) => (
        <div key={heading}>
          <h3 className="support__group">{heading}</h3>
          <div className="questions">
            {questions.map((question) => (
              <Question key={question.id} {...question} />
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

function Question({ id, question, answer }: SupportQuestion) {
  const text = useText({ support })
  return (
    <details id={id}>
      <summary>
        {question}
        <Plus className="icon" />
      </summary>
      <p>
        {answer}{' '}
        <Link className="support__link" to={{ hash: id }} aria-label={text.linkTo(question)}>
          <LinkIcon className="icon" />
        </Link>
      </p>
    </details>
  )
}

/** Opens the question that the address names. */
function useOpenedQuestion() {
  const list = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    const named = Array.from(list.current?.querySelectorAll('details') ?? []).find(({ id }) => `#${id}` === hash)
    if (named) named.open = true
  }, [hash])
  return list
}
