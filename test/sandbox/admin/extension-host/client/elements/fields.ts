import { set } from "./layout.ts";
import { make, PlainElement } from "./plain-element.ts";

/** Fields to type in or choose from, each with its label, its details and its error. */

let lastId = 0;

abstract class Field extends PlainElement {
  protected abstract readonly control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  readonly #label = make("label");
  readonly #details = make("p", { className: "details" });
  readonly #error = make("p", { className: "error" });

  protected build(root: ShadowRoot): void {
    lastId += 1;
    const id = `field-${lastId}`;
    this.control.id = id;
    this.#label.htmlFor = id;
    this.#details.id = `${id}-details`;
    this.#error.id = `${id}-error`;
    root.append(this.#label, this.control, this.#details, this.#error);
    for (const name of ["input", "change"] as const) {
      this.control.addEventListener(name, (event) => {
        event.stopPropagation();
        this.write("value", this.control.value);
        this.tell(name, { value: this.control.value });
      });
    }
    for (const name of ["focus", "blur"] as const) this.control.addEventListener(name, () => this.tell(name));
  }

  protected override update(): void {
    this.#label.textContent = this.text("label") + (this.is("required") ? " *" : "");
    this.#details.textContent = this.text("details");
    this.#error.textContent = this.text("error");
    this.control.name = this.text("name");
    this.control.disabled = this.is("disabled");
    this.control.required = this.is("required");
    set(this.control, "aria-invalid", this.text("error") ? "true" : "");
    set(this.control, "aria-describedby", `${this.#error.id} ${this.#details.id}`);
    set(this.control, "placeholder", this.text("placeholder"));
    const value = this.read("value") ?? this.read("defaultValue") ?? "";
    if (this.control.value !== value) this.control.value = String(value);
  }
}

function textField(type: string): typeof PlainElement {
  class TextField extends Field {
    protected readonly control = make("input");

    protected override build(root: ShadowRoot): void {
      this.control.type = type;
      super.build(root);
    }

    protected override update(): void {
      super.update();
      this.control.readOnly = this.is("readOnly");
    }
  }
  return TextField;
}

class TextArea extends Field {
  protected readonly control = make("textarea");
}

class Select extends Field {
  protected readonly control = make("select");

  protected override build(root: ShadowRoot): void {
    super.build(root);
    new MutationObserver(() => this.update()).observe(this, { childList: true, subtree: true, characterData: true });
  }

  protected override update(): void {
    const options = [...this.querySelectorAll<PlainElement>("s-option")].map((option) => {
      const drawn = make("option", { children: [option.textContent ?? ""] });
      drawn.value = option.text("value");
      drawn.disabled = option.is("disabled");
      return drawn;
    });
    const same =
      options.length === this.control.options.length &&
      options.every((one, at) => one.isEqualNode(this.control.options[at]!));
    if (!same) this.control.replaceChildren(...options);
    super.update();
  }
}

class ChoiceList extends PlainElement {
  readonly #legend = make("legend", { className: "label" });
  readonly #choices = make("div", { className: "choices" });
  readonly #error = make("p", { className: "error" });

  protected build(root: ShadowRoot): void {
    root.append(make("fieldset", { children: [this.#legend, this.#choices, this.#error] }));
    new MutationObserver(() => this.update()).observe(this, { childList: true, subtree: true, characterData: true });
  }

  protected override update(): void {
    this.#legend.textContent = this.text("label");
    this.#error.textContent = this.text("error");
    const choices = [...this.querySelectorAll<PlainElement>("s-choice")];
    if (choices.length !== this.#choices.childElementCount) {
      this.#choices.replaceChildren(...choices.map((choice) => this.#draw(choice)));
    }
    const values = this.read<string[]>("values") ?? [];
    this.#inputs().forEach((input, at) => {
      input.checked = values.includes(choices[at]!.text("value"));
      input.disabled = this.is("disabled") || choices[at]!.is("disabled");
    });
  }

  #draw(choice: PlainElement): HTMLElement {
    const input = make("input");
    input.type = this.is("multiple") ? "checkbox" : "radio";
    input.name = this.text("name") || "choices";
    input.value = choice.text("value");
    input.addEventListener("change", (event) => {
      event.stopPropagation();
      const values = this.#inputs()
        .filter((one) => one.checked)
        .map((one) => one.value);
      this.write("values", values);
      for (const name of ["input", "change"]) this.tell(name, { values });
    });
    return make("label", { className: "choice", children: [input, choice.textContent ?? ""] });
  }

  #inputs(): HTMLInputElement[] {
    return [...this.#choices.querySelectorAll("input")];
  }
}

class Checkbox extends PlainElement {
  readonly #input = make("input");
  readonly #words = make("span");

  protected build(root: ShadowRoot): void {
    this.#input.type = "checkbox";
    root.append(make("label", { className: "choice", children: [this.#input, this.#words] }));
    this.#input.addEventListener("change", (event) => {
      event.stopPropagation();
      this.write("checked", this.#input.checked);
      for (const name of ["input", "change"]) this.tell(name, { checked: this.#input.checked });
    });
  }

  protected override update(): void {
    this.#words.textContent = this.text("label");
    this.#input.checked = this.is("checked");
    this.#input.disabled = this.is("disabled");
  }
}

/** Children of a select or a list of choices, which render them. */
class Held extends PlainElement {
  protected build(): void {}
}

export const FIELDS: Record<string, typeof PlainElement> = {
  "s-text-field": textField("text"),
  "s-email-field": textField("email"),
  "s-url-field": textField("url"),
  "s-number-field": textField("number"),
  "s-password-field": textField("password"),
  "s-search-field": textField("search"),
  "s-date-field": textField("date"),
  "s-money-field": textField("number"),
  "s-text-area": TextArea,
  "s-select": Select,
  "s-option": Held,
  "s-choice-list": ChoiceList,
  "s-choice": Held,
  "s-checkbox": Checkbox,
  "s-switch": Checkbox,
};
