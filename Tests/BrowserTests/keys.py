"""A person who has a keyboard alone: nothing here touches a pointer."""


class Keys:
    def __init__(self, player):
        self.player, self.page = player, player.page
        self.press, self.type = self.page.keyboard.press, self.page.keyboard.type

    async def to(self, locator):
        """Tabs until the element has the focus."""
        await locator.wait_for()
        for _ in range(120):
            if await locator.evaluate("element => element === document.activeElement"):
                return
            await self.press("Tab")
        raise AssertionError(f"not reached by keys: {locator}")

    async def use(self, locator):
        """Presses a button or follows a link."""
        await self.to(locator)
        await self.press("Enter")

    async def fill(self, locator, text):
        await self.to(locator)
        await self.press("Control+a")
        await self.type(text)

    async def section(self, name):
        """Goes to a section of the profile by the menu's key and its link."""
        if await self.page.locator("#sheet").is_visible():
            await self.press("Escape")
        if await self.page.evaluate("() => document.activeElement.matches('input, select, textarea')"):
            await self.use(self.page.locator("a.back"))  # A field takes the menu's key for itself.
        else:
            await self.press("4")
        await self.use(self.page.locator(f"a[href='#/profile/{name}']"))

    async def sign_up(self, name, password="Correct-Horse-7"):
        await self.player.live()
        await self.press("Escape")
        await self.press("4")
        await self.use(self.page.locator("a[href='#/profile/signup']").first)
        for field, text in (("username", name), ("email", f"{name}@example.org"), ("password", password)):
            await self.fill(self.page.locator(f"input[name={field}]"), text)
        await self.to(self.page.locator("input[name=agreed]"))
        await self.press("Space")
        await self.use(self.page.locator("button[type=submit]"))
        await self.page.wait_for_function("() => location.hash === '#/map'")
        await self.player.ready()

    async def select_realm(self, name):
        await self.use(self.page.locator("#pill"))
        await self.use(self.page.locator("#sheet").get_by_role("button", name=name))

    async def line(self, text):
        """Opens a line of the list; the list is what says that it is there."""
        if await self.page.locator("#list-body").count() == 0:
            await self.press("l")
        await self.use(self.page.locator("#list-body .line").filter(has_text=text).first)
