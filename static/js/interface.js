// Swagger UI renders the API schema inside a <main> element. The page already has one, so this script
// replaces it by a <div> with the same id.
(() => {
  "use strict";
  const { presets } = SwaggerUIBundle;
  const { apis } = presets;
  const within = (React, one) => {
    if (!React.isValidElement(one)) return one;
    if (one.type === "main") return React.createElement("div", { ...one.props, key: one.key });
    const parts = [one.props.children].flat();
    return parts.length ? React.cloneElement(one, {}, ...parts.map((part) => within(React, part))) : one;
  };
  const plain = new Map(); // one class for each layout, otherwise React would render all again at every change
  const division = (React, Layout) => {
    if (!plain.has(Layout)) plain.set(Layout, class extends Layout { render() { return within(React, super.render()); } });
    return plain.get(Layout);
  };
  const oneMain = () => ({
    wrapComponents: {
      // `Guarded` is an error boundary whose only child is the layout
      BaseLayout: (Guarded, { React }) => class extends Guarded {
        render() {
          const guard = super.render();
          const { type, props } = guard.props.children;
          return React.cloneElement(guard, {}, React.createElement(division(React, type), props));
        }
      },
    },
  });
  presets.apis = () => [...apis(), oneMain];
})();
