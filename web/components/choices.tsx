interface ChoicesProps<Id extends string | number> {
  /** Label for screen readers. */
  readonly legend: string;
  readonly ids: readonly Id[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly format?: (id: Id) => string;
}

/** A row of buttons of which one is active, such as chart intervals. */
export function Choices<Id extends string | number>(props: ChoicesProps<Id>) {
  const { legend, ids, chosen, onChoose, format = String } = props;
  return (
    <fieldset class="intervals">
      <legend class="visually-hidden">{legend}</legend>
      {ids.map((id) => (
        <button key={id} type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
          {format(id)}
        </button>
      ))}
    </fieldset>
  );
}
