"""Settings of Sphinx for the book; scripts/book makes it. Its source is the repository, so that links hold here and there."""

from pathlib import Path

from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

project = "Knave"
root_doc = "README"
include_patterns = ["README.md", "CHANGELOG.md", "docs/*.md", "games/src/*/rules.md", "bots/README.md", "results/README.md", "results/*/README.md"]
# Folders that need not be looked through.
exclude_patterns = [".*", "target"]

extensions = ["myst_parser", "sphinx_external_toc"]
external_toc_path = "docs/contents.yml"
# Links to parts of a page are checked at every depth.
myst_heading_anchors = 6

html_theme = "furo"
html_title = "Knave"
html_static_path = ["_static"]
html_css_files = ["knave.css"]
html_copy_source = False
html_show_copyright = False
# Nothing is marked for an index, so the page would be empty.
html_use_index = False


class Folders(SphinxPostTransform):
    """A link to a folder, whose files a forge lists, is the name alone in the book."""

    # Before links are resolved: what leads nowhere is an error then.
    default_priority = 8

    def run(self):
        for link in list(self.document.findall(pending_xref)):
            if (Path(self.env.doc2path(link["refdoc"])).parent / link["reftarget"]).is_dir():
                link.replace_self(link.children)


def setup(app):
    app.add_post_transform(Folders)
