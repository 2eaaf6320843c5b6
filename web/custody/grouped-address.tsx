import { Fragment } from 'preact';

/** Groups of four characters. The last one has up to seven, so that no line has only a few. */
const GROUPS = /.{4}(?=.{4})|.+/g;

/** A whole address in groups that users compare. Lines break between groups, and the groups do not change the copied text. */
export function GroupedAddress({ text }: { text: string }) {
  return (
    <span class="mono grouped-address" title={text}>
      {text.match(GROUPS)?.map((group, index) => (
        <Fragment key={index}>
          {index === 0 ? null : <wbr />}
          <span>{group}</span>
        </Fragment>
      ))}
    </span>
  );
}
